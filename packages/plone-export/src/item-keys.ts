import { isEmptyValue, type JsonObject, type ProblemLog } from '@canopy-server/site-reader';

/** Fields of Plone's schemas that are separate properties of `ExportedItem`. */
export const OWN_PROPERTY = ['effective', 'expires', 'creators', 'language', 'changeNote'];

/** Keys that Plone's serializer adds to the fields: addresses, state, listings, working copies, versions. */
const NOT_CONTENT = new Set([
  ...OWN_PROPERTY,
  ...['UID', 'id', 'parent', 'items', 'items_total', 'batching', 'lock', 'is_folderish', 'layout', 'type_title'],
  ...['created', 'modified', 'review_state', 'workflow_history', 'working_copy', 'working_copy_of', 'changeActor'],
  ...['previous_item', 'next_item', 'image_field', 'image_scales', 'targetUrl'],
]);

/** Names of fields in Archetypes, with their names in Dexterity (collective.exportimport, migrate_field). */
const OLD_NAMES: Record<string, string> = {
  excludeFromNav: 'exclude_from_nav',
  allowDiscussion: 'allow_discussion',
  subject: 'subjects',
  expirationDate: 'expires',
  effectiveDate: 'effective',
  creation_date: 'created',
  modification_date: 'modified',
  startDate: 'start',
  endDate: 'end',
  openEnd: 'open_end',
  eventUrl: 'event_url',
  wholeDay: 'whole_day',
  contactEmail: 'contact_email',
  contactName: 'contact_name',
  contactPhone: 'contact_phone',
  imageCaption: 'image_caption',
  tableContents: 'table_of_contents',
};

/** Settings of Archetypes among the fields, for the types that may be added. */
const CONSTRAINS = ['constrainTypesMode', 'locallyAllowedTypes', 'immediatelyAddableTypes'];

/** The object with the present names of fields in place of those of Archetypes. A field that also has its present name is not renamed. */
export function withPresentNames(raw: JsonObject): JsonObject {
  const renamed = Object.entries(OLD_NAMES).filter(([old, name]) => Object.hasOwn(raw, old) && isEmptyValue(raw[name]));
  const limits = Number(raw.constrainTypesMode) === 1 && !Object.hasOwn(raw, 'exportimport.constrains');
  if (renamed.length === 0 && !CONSTRAINS.some((name) => Object.hasOwn(raw, name))) return raw;
  const next: JsonObject = { ...raw };
  for (const [old, name] of renamed) {
    next[name] = raw[old];
    delete next[old];
  }
  if (limits)
    next['exportimport.constrains'] = {
      locally_allowed_types: raw.locallyAllowedTypes,
      immediately_addable_types: raw.immediatelyAddableTypes,
    };
  for (const name of CONSTRAINS) delete next[name];
  return next;
}

/** Reports the renamed fields, and settings of Archetypes among the fields. */
export function reportOldNames(raw: JsonObject, path: string, problems: ProblemLog): void {
  for (const [old, name] of Object.entries(OLD_NAMES)) {
    if (isEmptyValue(raw[old]) || !isEmptyValue(raw[name])) continue;
    problems.note({ reason: 'renamed', path, key: old, message: `The field ${old} is called ${name} here.` });
  }
  const isLimited = Number(raw.constrainTypesMode) === 1;
  for (const key of CONSTRAINS) {
    if (isEmptyValue(raw[key])) continue;
    const message = isLimited
      ? `What ${key} says is kept as the types that may be added.`
      : `What may be added is not limited by the object itself: ${key} is left out.`;
    problems.note({ reason: isLimited ? 'renamed' : 'system', path, key, message });
  }
}

/** True if a key of an exported object is a field of it. */
export function isContentField(name: string, value: unknown): boolean {
  if (name.startsWith('@') || name.startsWith('exportimport.') || NOT_CONTENT.has(name)) return false;
  // Plone's serializer adds `version: current` to every object that is not an old version; any other value is a
  // field's.
  return !(name === 'version' && value === 'current');
}

/** Names of the fields of an exported object that have a value. */
export const fieldKeysOf = (raw: JsonObject): string[] =>
  Object.entries(raw).flatMap(([name, value]) => (isContentField(name, value) && !isEmptyValue(value) ? [name] : []));

/** The key under which both exporters keep the older versions of an object. */
export const OLDER_VERSIONS = 'exportimport.versions';

/** Keys beside the fields whose values are imported in another way, or that every server computes. */
const COME_OTHERWISE = new Set([
  ...['@id', '@type', '@components', '@static_behaviors', 'exportimport.constrains', OLDER_VERSIONS],
]);

/** Reports the keys beside the fields that are left out. */
export function reportLeftKeys(raw: JsonObject, path: string, problems: ProblemLog): void {
  for (const [key, value] of Object.entries(raw)) {
    if (isEmptyValue(value)) continue;
    const isSpecial = key.startsWith('@') || key.startsWith('exportimport.');
    if (isSpecial && !COME_OTHERWISE.has(key) && key !== 'exportimport.conversation') leave(key);
    if (key === 'working_copy_of') leave(key);
  }

  function leave(key: string): void {
    const message = MESSAGES[key] ?? `This server does not know ${key}, which is left out.`;
    problems.note({ reason: 'unsupported', path, key, message });
  }
}

const MESSAGES: Record<string, string> = {
  working_copy_of: 'It is a working copy: it becomes content of its own.',
};
