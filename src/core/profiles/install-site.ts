import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../database/database.ts';
import { ClientError } from '../../lib/errors.ts';
import { isJsonObject } from '../../lib/json-object.ts';
import { languagePanel } from '../configuration/panels/languages.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import type { Profile } from '../configuration/profiles/profile.ts';
import type { ProfileRow } from '../configuration/profiles/profile-rows.ts';
import { ProfileBroken } from '../configuration/profiles/profile-schema.ts';
import { buildSite } from '../configuration/site/build-site.ts';
import { KINDS } from '../configuration/site/site.ts';
import { writeConfiguration, writeState } from '../configuration/statements/configuration.ts';
import { workflowOf } from '../configuration/workflow/workflow.ts';
import { resolverFor } from '../content/references.ts';
import { addHistory } from '../content/statements/workflow-history.ts';
import { insertContent } from '../content/statements/write-content.ts';
import { parseValues, splitColumns } from '../content/values.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { TableChange } from '../kernel/profile-table.ts';
import type { Caller } from '../security/caller.ts';
import { tableOf, writeTableRows } from './profile-tables.ts';
import { writeInstalledProfile } from './statements/installed-profile.ts';

/** Names in `site_state` for the profile from which a site was made, and for the version that it has reached. */
export const PROFILE_STATE = 'profile';
export const VERSION_STATE = 'profile_version';

/** The type of the site root in a profile: the one with the behavior of the site. */
const rootType = (types: ReadonlyMap<string, { behaviorNames: Set<string>; aliases?: string[]; id: string }>) =>
  types.get('Site') ??
  types.get('Plone Site') ??
  [...types.values()].find(({ aliases = [] }) => aliases.includes('Plone Site'));

/** Throws ProfileBroken for settings that no control panel has. */
export function requireKnownSettings({ panels }: Pick<Kernel, 'panels'>, rows: readonly ProfileRow[]): void {
  for (const { kind, id, data, file } of rows) {
    if (kind !== KINDS.setting || !isJsonObject(data)) continue;
    const known = panels.get(id)?.settings.map(({ name }) => name);
    if (!known) throw new ProfileBroken(`${file}: There is no control panel "${id}".`);
    const unknown = Object.keys(data).find((name) => !known.includes(name));
    if (unknown !== undefined) throw new ProfileBroken(`${file}: There is no setting "${id}.${unknown}".`);
  }
}

/**
 * Makes a site in an empty database from a profile: its configuration, its groups and rules, and its root, which `owner` owns. Everything happens in
 * the given transaction. Throws ProfileBroken for unknown settings and fields.
 */
export async function installSite(kernel: Kernel, tx: Transaction, profile: Profile, owner: Caller): Promise<void> {
  requireKnownSettings(kernel, profile.rows);
  const configuration = profile.rows.filter((row) => !tableOf(kernel, row));
  await writeConfiguration(tx, configuration);
  await writeInstalledProfile(tx, profile.rows);
  await writeState(tx, PROFILE_STATE, profile.id);
  await writeState(tx, VERSION_STATE, profile.version);
  const site = buildSite('0', configuration, kernel);
  const type = site.types.get(rootType(site.types)?.id ?? '');
  if (!type) throw new Error(`The profile ${profile.id} has no type for the site root`);
  const { review_state: wanted, ...input } = profile.content;
  const unknown = Object.keys(input).find((name) => !type.fieldByName.has(name));
  if (unknown !== undefined)
    throw new ProfileBroken(`content.json: The type of the site root has no field "${unknown}".`);
  const resolver = await resolverFor(tx, [], []);
  const { columns, fields } = splitColumns(
    parseValues(kernel.fieldKinds, {
      ...{ type, input, resolver, site },
      current: undefined,
      mayWrite: () => true,
    }),
  );
  const workflow = workflowOf(site, type.id);
  const reviewState = typeof wanted === 'string' ? wanted : (workflow?.initial_state ?? null);
  const now = new Date();
  const login = owner.id ?? 'admin';
  const language = panelSettings(site, languagePanel).default_language;
  const inserted = await insertContent(tx, {
    uid: randomUUID(),
    parent: null,
    name: 'root',
    path: '/',
    type: type.id,
    reviewState,
    owner: login,
    language: columns.language ?? language,
    layout: null,
    created: now,
    modified: now,
    effective: columns.effective ?? now,
    expires: columns.expires ?? null,
    localRoles: { [`user:${login}`]: ['Owner'] },
    inheritRoles: true,
    localPermissions: null,
    constrains: null,
    defaultPage: null,
    translationGroup: null,
    fields: { ...fields, creators: [login] },
  });
  if (inserted === undefined) throw new Error('There is a site root already');
  const { oid } = inserted;
  if (workflow && reviewState) {
    await addHistory(tx, [
      {
        content: oid,
        workflow: workflow.id,
        action: null,
        actor: login,
        comments: '',
        reviewState,
        at: now,
      },
    ]);
  }
  await kernel.events.emit('content.created', { oid }, { tx, caller: owner });
  await writeTables({ kernel, tx, site }, profile.rows);
}

/** Writes the rows of a profile that belong in tables. Throws ProfileBroken for rows that a new site cannot have. */
async function writeTables(change: TableChange, rows: readonly ProfileRow[]): Promise<void> {
  try {
    const [first] = await writeTableRows(change, rows);
    if (first) throw new ProfileBroken(`"${first.id}", ${first.key}: ${first.reason}.`);
  } catch (error) {
    throw error instanceof ClientError ? new ProfileBroken(error.message) : error;
  }
}
