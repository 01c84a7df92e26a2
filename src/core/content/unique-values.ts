import type { Transaction } from '../../database/database.ts';
import { ValidationFailed } from '../../lib/errors.ts';
import { viewersOf } from '../configuration/panels/publishing.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Events } from '../journal/bus.ts';
import { type Caller, callerAt } from '../security/caller.ts';
import { pathOf } from './statements/load-content.ts';
import {
  lockUniqueFields,
  type Place,
  type SharedValue,
  sharedValue,
  sharedValueOf,
  sharedValues,
  typesAt,
  typesOf,
  type UniqueField,
} from './statements/unique-values.ts';
import { ROOT } from './tree-path.ts';

const known = new WeakMap<Site, readonly UniqueField[]>();

/** The fields of a site whose values must be unique among the objects of their type. Each write asks for them, so they are found once. */
function uniqueFields(site: Site): readonly UniqueField[] {
  const present = known.get(site);
  if (present) return present;
  const found = [...site.types.values()].flatMap(({ id, fields }) =>
    fields.flatMap(({ name, unique }) => (unique === true ? [{ type: id, field: name }] : [])),
  );
  known.set(site, found);
  return found;
}

/** The checked objects: the objects at a place, or the objects with these numbers. */
type Looked = Place | { oids: readonly number[] };

/** Throws ValidationFailed for a value that other content has already. The error does not name this content, because the caller may not view it. */
async function requireUnique(tx: Transaction, looked: Looked, wanted: readonly UniqueField[]): Promise<void> {
  if (wanted.length === 0) return;
  const names = wanted.map(({ type }) => type);
  const types = new Set('oids' in looked ? await typesOf(tx, looked.oids, names) : await typesAt(tx, looked, names));
  const fields = wanted.filter(({ type }) => types.has(type));
  if (fields.length === 0) return;
  // Of two writers of one value, the second one checks after the first one has committed.
  await lockUniqueFields(tx, fields);
  const shared =
    'oids' in looked ? await sharedValueOf(tx, looked.oids, fields) : await sharedValue(tx, looked, fields);
  if (shared)
    throw new ValidationFailed([
      { field: shared.field, message: 'Other content has this value already. Give another one.' },
    ]);
}

/** A shared value as a message lists it: two of its paths, and the number of objects if there are more than two. */
const listed = ({ first, last, viewed }: SharedValue): string[] => {
  if (first === null) return [];
  const paths = first === last || last === null ? first : `${first}, ${last}`;
  return [viewed > 2 ? `${paths} (${viewed})` : paths];
};

/** Returns the message for a field with values that content shares; it names only content that the caller may view. */
function messageOf(shared: readonly SharedValue[]): string {
  const places = shared.flatMap(listed);
  const content = places.join('; ');
  const count = (shared[0]?.total ?? 0) - places.length;
  if (places.length === 0) return 'There is content with the same value. Change it first.';
  if (count === 0) return `There is content with the same value: ${content}. Change it first.`;
  return `There is content with the same value: ${content}. So it is with ${count} more values. Change it first.`;
}

/**
 * Throws ValidationFailed with each field that becomes unique although content shares values of it. `nameOf` returns the name of a field for its
 * problem.
 */
async function requireNoneShared(
  tx: Transaction,
  { before, after, caller }: SiteChange,
  { fields, nameOf }: { fields: (site: Site) => readonly UniqueField[]; nameOf: (field: UniqueField) => string },
): Promise<void> {
  const keyOf = ({ type, field }: UniqueField) => `${type} ${field}`;
  const known = new Set(fields(before).map(keyOf));
  const wanted = fields(after).filter((field) => !known.has(keyOf(field)));
  if (wanted.length === 0) return;
  const shared = await sharedValues(tx, wanted, viewersOf(before, callerAt(caller, ROOT)));
  const problems = wanted.flatMap((field) => {
    const values = shared.filter((value) => keyOf(value) === keyOf(field));
    return values.length === 0 ? [] : [{ field: nameOf(field), message: messageOf(values) }];
  });
  if (problems.length > 0) throw new ValidationFailed(problems);
}

/** A site before and after a change of its configuration, and who changes it. */
type SiteChange = { before: Site; after: Site; caller: Caller };

/**
 * Throws ValidationFailed when content shares values of fields that become unique, on a site that changes as a whole, such as by an upgrade. The
 * error has each of these fields.
 */
export const requireUniqueSite = (tx: Transaction, change: SiteChange): Promise<void> =>
  requireNoneShared(tx, change, { fields: uniqueFields, nameOf: ({ type, field }) => `${type}.${field}.unique` });

/** Throws ValidationFailed, with each such field, when content of a type shares values of fields that become unique. */
export const requireUniqueType = (tx: Transaction, change: SiteChange, type: string): Promise<void> =>
  requireNoneShared(tx, change, {
    fields: (site) => uniqueFields(site).filter((one) => one.type === type),
    nameOf: ({ field }) => `${field}.unique`,
  });

/** Checks the values of unique fields in the transaction of each write that could duplicate a value. */
export function subscribeUniqueValues(events: Events): void {
  events.on('content.created', async ({ oid, site }, { tx }) => {
    const fields = site ? uniqueFields(site) : [];
    if (fields.length > 0) await requireUnique(tx, { path: await pathOf(tx, oid), below: false }, fields);
  });
  events.on('content.modified', async ({ oid, site, fields: changed }, { tx }) => {
    const fields = uniqueFields(site).filter(({ field }) => changed.includes(field));
    if (fields.length > 0) await requireUnique(tx, { path: await pathOf(tx, oid), below: false }, fields);
  });
  events.on('content.imported', ({ oids, site }, { tx }) => requireUnique(tx, { oids }, uniqueFields(site)));
  for (const name of ['content.copied', 'content.restored'] as const)
    events.on(name, ({ to, site }, { tx }) => requireUnique(tx, { path: to, below: true }, uniqueFields(site)));
}
