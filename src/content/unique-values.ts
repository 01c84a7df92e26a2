import type { Events } from '../kernel/events.ts';
import { ValidationFailed } from '../lib/errors.ts';
import type { Site } from '../site/site.ts';
import type { Transaction } from '../storage/database.ts';
import { pathOf } from '../storage/statements/load-content.ts';
import {
  lockUniqueFields,
  type Place,
  sharedValue,
  sharedValueOf,
  typesAt,
  typesOf,
  type UniqueField,
} from '../storage/statements/unique-values.ts';
import { ROOT } from './tree-path.ts';

/** The fields of a site whose values are each in one object of their type only. */
const uniqueFields = ({ types }: Site): UniqueField[] =>
  [...types.values()].flatMap(({ id, fields }) =>
    fields.flatMap(({ name, unique }) => (unique === true ? [{ type: id, field: name }] : [])),
  );

/** Which objects are looked at: those at a place, or those with some numbers. */
type Looked = Place | { oids: readonly number[] };

/** Throws ValidationFailed for a value that other content has already. It does not say which: not everybody may know of it. */
async function requireUnique(tx: Transaction, looked: Looked, wanted: readonly UniqueField[]): Promise<void> {
  if (wanted.length === 0) return;
  const names = wanted.map(({ type }) => type);
  const types = new Set('oids' in looked ? await typesOf(tx, looked.oids, names) : await typesAt(tx, looked, names));
  const fields = wanted.filter(({ type }) => types.has(type));
  if (fields.length === 0) return;
  // Two writers of one value: the second one looks when the first one has committed.
  await lockUniqueFields(tx, fields);
  const shared =
    'oids' in looked ? await sharedValueOf(tx, looked.oids, fields) : await sharedValue(tx, looked, fields);
  if (shared)
    throw new ValidationFailed([
      { field: shared.field, message: 'Other content has this value already. Give another one.' },
    ]);
}

/**
 * Throws ValidationFailed when content shares a value of a field that is to be unique from now on, on a site that changes as a
 * whole, such as by an upgrade.
 */
export async function requireUniqueSite(tx: Transaction, before: Site, after: Site): Promise<void> {
  const known = new Set(uniqueFields(before).map(({ type, field }) => `${type} ${field}`));
  const fields = uniqueFields(after).filter(({ type, field }) => !known.has(`${type} ${field}`));
  if (fields.length === 0) return;
  const shared = await sharedValue(tx, { path: ROOT, below: true }, fields);
  if (shared)
    throw new ValidationFailed([
      {
        field: `${shared.type}.${shared.field}.unique`,
        message: 'There is content with the same value. Change it first.',
      },
    ]);
}

/** Throws ValidationFailed when content of a type shares a value of a field that is to be unique from now on. */
export async function requireUniqueType(tx: Transaction, before: Site, after: Site, type: string): Promise<void> {
  const fields = uniqueFields(after).filter((one) => one.type === type);
  const known = new Set(uniqueFields(before).flatMap((one) => (one.type === type ? [one.field] : [])));
  const shared = await sharedValue(
    tx,
    { path: ROOT, below: true },
    fields.filter(({ field }) => !known.has(field)),
  );
  if (shared)
    throw new ValidationFailed([
      { field: `${shared.field}.unique`, message: 'There is content with the same value. Change it first.' },
    ]);
}

/** Has values of unique fields checked in the transaction of each write that could bring one a second time. */
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
