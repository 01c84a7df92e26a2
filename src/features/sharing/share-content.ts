import { isDeepStrictEqual } from 'node:util';
import {
  access,
  type Caller,
  type ContentChange,
  callers,
  contentRows,
  has,
  type Kernel,
  locateForWrite,
  MODIFY,
  message,
  permissions,
  type ResolvedNode,
  requirePermission,
  type Site,
  say,
  VIEW,
} from '#core';
import { NotFound, ValidationFailed } from '#lib/errors';
import { lockPrincipals } from '../people/statements/principals.ts';

/** Titles of the core's roles, in the words of Plone's sharing page. */
const TITLES: Record<string, string> = {
  Contributor: message('Can add'),
  Editor: message('Can edit'),
  Reader: message('Can view'),
  Reviewer: message('Can review'),
};

/**
 * The roles that the caller may give and take on an object, ordered by id: each has its own permission to delegate it.
 */
export function delegableRoles(site: Site, caller: Caller, resolved: ResolvedNode): { id: string; title: string }[] {
  return site.roles
    .filter(({ id }) => has(site, caller, resolved, `Sharing page: Delegate ${id} role`))
    .map(({ id, title }) => ({ id, title: say(site, TITLES[id] ?? title) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The new roles of a principal on the object, among the roles that the caller may delegate. */
type SharingEntry = { id: string; type?: 'user' | 'group' | undefined; roles: ReadonlySet<string> };

type ShareRequest = {
  caller: Caller;
  path: string;
  entries: readonly SharingEntry[];
  /** True if local roles given on containers count here; undefined leaves it unchanged. */
  inherit: boolean | undefined;
};

type LocalRoles = Record<string, string[]>;
type Known = Awaited<ReturnType<typeof lockPrincipals>>;

/**
 * Gives principals exactly the local roles of their entries on an object, in one transaction with its event. Principals without an entry keep their
 * roles, and roles that the caller may not delegate stay unchanged (plone.restapi, U29). Callers who stop the inheritance of roles keep their own
 * roles, as in Plone.
 * @throws NotFound; Unauthorized or Forbidden without the permission to delegate roles, or, for a change of `inherit`, the permission to modify;
 * ValidationFailed for a principal that does not exist.
 */
export async function shareContent(kernel: Kernel, { caller, path, entries, inherit }: ShareRequest): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    // Principals are locked before content, in the same order as when a user or group is removed.
    const known = await lockPrincipals(tx, [...new Set(entries.map(({ id }) => id))]);
    const { site, resolved } = await locateForWrite(kernel, path, tx, 'change');
    if (!resolved) throw new NotFound(path);
    requirePermission(site, caller, resolved, VIEW);
    requirePermission(site, caller, resolved, permissions.DELEGATE_ROLES);
    const { object } = resolved;
    const delegable = new Set(delegableRoles(site, caller, resolved).map(({ id }) => id));
    let localRoles = applyEntries(object.localRoles, entries, known, delegable);
    const change: ContentChange = {};
    if (inherit !== undefined && inherit !== object.inheritRoles) {
      requirePermission(site, caller, resolved, MODIFY);
      change.inheritRoles = inherit;
      if (!inherit) localRoles = keepOwnRoles(site, caller, resolved, localRoles);
    }
    if (!isDeepStrictEqual(localRoles, object.localRoles)) change.localRoles = localRoles;
    if (Object.keys(change).length === 0) return;
    await contentRows.update(tx, object.oid, change);
    const before = { localRoles: object.localRoles, inheritRoles: object.inheritRoles };
    const after = { localRoles, inheritRoles: change.inheritRoles ?? object.inheritRoles };
    await kernel.events.emit('content.shared', { oid: object.oid, before, after }, { tx, caller });
  });
}

/**
 * The token of the principal of an entry. Its type is only a hint: Plone's own client sends `user` for the group of all users. Roles of a missing
 * principal can still be removed.
 */
function principalOf(
  { id, type = 'user' }: SharingEntry,
  { users, groups }: Known,
  localRoles: LocalRoles,
): string | undefined {
  if (id === callers.AUTHENTICATED_USERS) return `group:${id}`;
  const found = [users.has(id) ? `user:${id}` : undefined, groups.has(id) ? `group:${id}` : undefined];
  const [first, second] = type === 'user' ? found : found.reverse();
  const left = `${type}:${id}`;
  return first ?? second ?? (Object.hasOwn(localRoles, left) ? left : undefined);
}

/**
 * Local roles after the change; each entry has all roles of a principal, and only delegable roles change. Principals without any role are left out.
 */
function applyEntries(
  localRoles: LocalRoles,
  entries: readonly SharingEntry[],
  known: Known,
  delegable: ReadonlySet<string>,
): LocalRoles {
  const changed = new Map(Object.entries(localRoles).map(([principal, roles]) => [principal, new Set(roles)]));
  for (const [at, entry] of entries.entries()) {
    const principal = principalOf(entry, known, localRoles);
    const message = `There is no user or group "${entry.id.slice(0, 100)}".`;
    if (!principal) throw new ValidationFailed([{ field: `entries.${at}.id`, message }]);
    const roles = changed.get(principal) ?? new Set();
    changed.set(principal, roles);
    for (const role of delegable) {
      if (entry.roles.has(role)) roles.add(role);
      else roles.delete(role);
    }
  }
  return Object.fromEntries(
    [...changed].filter(([, roles]) => roles.size > 0).map(([principal, roles]) => [principal, [...roles]]),
  );
}

/** Adds the roles that the caller would lose here when inherited roles no longer count. */
function keepOwnRoles(site: Site, caller: Caller, resolved: ResolvedNode, localRoles: LocalRoles): LocalRoles {
  if (caller.id === null) return localRoles;
  const left = access.rolesAt(site, caller, {
    ...resolved,
    object: { ...resolved.object, localRoles, inheritRoles: false },
  });
  const lost = [...access.rolesAt(site, caller, resolved)].filter((role) => !left.has(role));
  const principal = `user:${caller.id}`;
  return lost.length === 0 ? localRoles : { ...localRoles, [principal]: [...(localRoles[principal] ?? []), ...lost] };
}
