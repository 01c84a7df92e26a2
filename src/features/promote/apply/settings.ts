import {
  contentRows,
  contentStates,
  findContents,
  has,
  indexing,
  locateForWrite,
  MANAGE_PORTAL,
  MODIFY,
  permissions,
  type ResolvedNode,
  reject,
  requirePermission,
  type Site,
  type Transaction,
} from '#core';
import type { JsonObject } from '#lib/json-object';
import { lockPrincipals } from '../../people/statements/principals.ts';
import { hasTranslation, membersOf } from '../statements/objects.ts';
import type { ApplyRun } from './apply-run.ts';

const MANAGE_TRANSLATIONS = 'Manage translations';

const rolesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((role): role is string => typeof role === 'string') : [];

/** Throws unless the caller may change these settings of an object: each by the permission that its own service asks for. */
function requireRights(run: ApplyRun, site: Site, resolved: ResolvedNode, settings: JsonObject): void {
  const { caller } = run;
  const present = contentStates.of(resolved.object).settings;
  for (const [name, value] of Object.entries(settings)) {
    if (name.startsWith('permission:')) requirePermission(site, caller, resolved, MANAGE_PORTAL);
    else if (name.startsWith('role:')) {
      requirePermission(site, caller, resolved, permissions.DELEGATE_ROLES);
      const [before, after] = [rolesIn(present[name]), rolesIn(value)];
      const other = [...before, ...after].filter((role) => before.includes(role) !== after.includes(role));
      const refused = other.find((role) => !has(site, caller, resolved, `Sharing page: Delegate ${role} role`));
      if (refused !== undefined) reject(caller, `You may not give or take the role "${refused}" here.`);
    } else if (name === 'translation_group') requirePermission(site, caller, resolved, MANAGE_TRANSLATIONS);
    else requirePermission(site, caller, resolved, MODIFY);
  }
}

/** Settings without local roles of users and groups that the site does not have, which are noted. */
async function withoutStrangers(
  run: ApplyRun,
  tx: Transaction,
  path: string,
  settings: JsonObject,
): Promise<JsonObject> {
  const principals = Object.keys(settings).flatMap((name) => {
    const [, kind, id] = /^role:(user|group):(.+)$/.exec(name) ?? [];
    return kind === undefined || id === undefined || settings[name] === null ? [] : [{ name, kind, id }];
  });
  if (principals.length === 0) return settings;
  const { users, groups } = await lockPrincipals(
    tx,
    principals.map(({ id }) => id),
  );
  groups.add('AuthenticatedUsers');
  const strangers = principals.filter(({ kind, id }) => !(kind === 'user' ? users : groups).has(id));
  for (const { kind, id } of strangers)
    run.report.notes.push(`${path}: the ${kind} "${id}" does not exist here, so that it gets no roles.`);
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => !strangers.some((stranger) => stranger.name === name)),
  );
}

/** Throws Forbidden unless the group is new, or the caller may manage the translations of an object in it. */
async function requireGroup(
  { site, caller }: ApplyRun,
  tx: Transaction,
  { group, oid }: { group: string; oid: number },
): Promise<void> {
  const uids = await membersOf(tx, { group, oid });
  const members = await findContents(tx, { uids });
  const isManaged = members.some((member) => has(site, caller, member, MANAGE_TRANSLATIONS));
  if (members.length > 0 && !isManaged) reject(caller, 'You may not manage the translations that it is to belong to.');
}

/** Puts an object into a group of translations, or takes it out, unless the group has its language already. */
async function writeTranslations(
  run: ApplyRun,
  tx: Transaction,
  { object }: ResolvedNode,
  value: unknown,
): Promise<void> {
  const group = typeof value === 'string' ? value : null;
  const { oid, path, language, translationGroup: before } = object;
  if (group !== null) await requireGroup(run, tx, { group, oid });
  if (group !== null && (await hasTranslation(tx, { group, language, oid }))) {
    run.report.notes.push(`${path}: its translations have an object in ${language ?? 'its language'} here already.`);
    return;
  }
  await contentRows.update(tx, oid, { translationGroup: group });
  await run.kernel.events.emit('content.translated', { oid, before, after: group }, { tx, caller: run.caller });
}

/** Writes settings of an object: rights, the default page, types that may be added, translations. Throws Forbidden without the right. */
export async function writeSettings(run: ApplyRun, tx: Transaction, path: string, wanted: JsonObject): Promise<void> {
  const settings = await withoutStrangers(run, tx, path, wanted);
  const { site, resolved } = await locateForWrite(run.kernel, path, tx, 'change');
  if (!resolved) return;
  requireRights(run, site, resolved, wanted);
  if (Object.keys(settings).length === 0) return;
  const { object, ancestors } = resolved;
  const change = contentStates.columnsOf(object, settings);
  if (Object.keys(change).length > 0) await contentRows.update(tx, object.oid, change);
  if (change.localRoles !== undefined || change.inheritRoles !== undefined) {
    const before = { localRoles: object.localRoles, inheritRoles: object.inheritRoles };
    const after = {
      localRoles: change.localRoles ?? object.localRoles,
      inheritRoles: change.inheritRoles ?? object.inheritRoles,
    };
    await run.kernel.events.emit('content.shared', { oid: object.oid, before, after }, { tx, caller: run.caller });
  }
  if (Object.hasOwn(settings, 'translation_group'))
    await writeTranslations(run, tx, resolved, settings.translation_group);
  if (Object.keys(settings).some((name) => name !== 'default_page' && name !== 'translation_group'))
    await indexing.updateViewers(tx, site, path, ancestors);
}
