import { randomUUID } from 'node:crypto';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import { buildSite } from '../site/build-site.ts';
import { panelSettings } from '../site/panel.ts';
import { languagePanel } from '../site/panels/languages.ts';
import type { Profile } from '../site/profile.ts';
import type { Transaction } from '../storage/database.ts';
import { writeConfiguration, writeState } from '../storage/statements/configuration.ts';
import { addHistory } from '../storage/statements/workflow-history.ts';
import { insertContent } from '../storage/statements/write-content.ts';
import { workflowOf } from '../workflow/workflow.ts';
import { resolverFor } from './references.ts';
import { parseValues, splitColumns } from './values.ts';

/** Names of `site_state` that tell which profile a site was made from, and how far it has been upgraded. */
export const PROFILE_STATE = 'profile';
export const VERSION_STATE = 'profile_version';

/** The type of the site root in a profile: the one with the behavior of the site. */
const rootType = (types: ReadonlyMap<string, { behaviorNames: Set<string>; aliases?: string[]; id: string }>) =>
  types.get('Site') ??
  types.get('Plone Site') ??
  [...types.values()].find(({ aliases = [] }) => aliases.includes('Plone Site'));

/**
 * Makes a site in an empty database from a profile: its configuration and its root, which `owner`
 * owns. All in the given transaction.
 */
export async function installSite(kernel: Kernel, tx: Transaction, profile: Profile, owner: Caller): Promise<void> {
  await writeConfiguration(tx, profile.rows);
  await writeState(tx, PROFILE_STATE, profile.id);
  await writeState(tx, VERSION_STATE, profile.version);
  const site = buildSite('0', profile.rows, kernel);
  const type = site.types.get(rootType(site.types)?.id ?? '');
  if (!type) throw new Error(`The profile ${profile.id} has no type for the site root`);
  const { review_state: wanted, ...input } = profile.content;
  const resolver = await resolverFor(tx, [], []);
  const { columns, fields } = splitColumns(
    parseValues(kernel.fieldKinds, { type, input, current: undefined, resolver, mayWrite: () => true }),
  );
  const workflow = workflowOf(site, type.id);
  const reviewState = typeof wanted === 'string' ? wanted : (workflow?.initial_state ?? null);
  const now = new Date();
  const login = owner.id ?? 'admin';
  const language = panelSettings(site, languagePanel).default_language;
  const oid = await insertContent(tx, {
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
  if (oid === undefined) throw new Error('There is a site root already');
  if (workflow && reviewState) {
    await addHistory(tx, {
      content: oid,
      workflow: workflow.id,
      action: null,
      actor: login,
      comments: '',
      reviewState,
      at: now,
    });
  }
  await kernel.events.emit('content.created', { oid }, { tx, caller: owner });
}
