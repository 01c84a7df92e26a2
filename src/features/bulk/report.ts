import { type Static, Type } from 'typebox';
import { batching, type Site, say, schemas, urlOf } from '#core';
import type { Counts, Outcome } from './statements.ts';

const Nothing = (description: string) => schemas.Nullable(Type.String(), { description });

/** An object in a report. */
export const ReportedItem = Type.Object({
  '@id': schemas.Nullable(schemas.Address, { description: 'Where it was; null where nothing is named.' }),
  item: Type.String({ description: 'Its path, or the text that names nothing.' }),
  UID: Nothing('Null where nothing is named.'),
  outcome: Type.Enum(['changed', 'unchanged', 'refused', 'pending']),
  target: schemas.Nullable(schemas.Address, { description: 'Where it was moved to, or its copy.' }),
  type: Nothing('The type of the error that refused it.'),
  reason: Nothing('Why it was refused, or what it went along with.'),
});

/** Numbers of objects by their outcomes, and how to undo the change. */
const Totals = {
  changed: Type.Integer(),
  unchanged: Type.Integer({ description: 'Objects that were as they should be.' }),
  refused: Type.Integer(),
  transactions: Type.Array(Type.Integer(), {
    description: 'The transactions of the change: `PATCH /@transactions` with all of them undoes it as one.',
  }),
};

/** The report of a change that was made at once. */
export const Report = Type.Object({ ...Totals, items: Type.Array(ReportedItem) });

/** The report of a change that a job makes. */
export const StoredReport = Type.Object({
  ...batching.BatchOf(ReportedItem).properties,
  ...Totals,
  pending: Type.Integer({ description: 'Objects that are still to be changed.' }),
  change: Type.String({ description: 'The name of the change.' }),
  actor: Type.String({ description: 'Id of the user who has asked for it.' }),
  created: Type.String({ format: 'date-time' }),
});

/** An object with its outcome. Without a UID it is a text that names no object. */
type Item = { uid: string; path: string; outcome: Outcome['outcome'] | 'pending' } & Pick<
  Outcome,
  'target' | 'type' | 'reason'
>;

/** An object of a report, with the reason in the language of the reader. */
export const itemJson = (
  site: Site,
  base: string,
  { uid, path, outcome, target, type, reason }: Item,
): Static<typeof ReportedItem> => ({
  '@id': uid === '' ? null : urlOf(base, path),
  item: path,
  UID: uid === '' ? null : uid,
  outcome,
  target: target === null ? null : urlOf(base, target),
  type,
  reason: reason === null ? null : say(site, reason),
});

/** The numbers of a report. */
export const totalsJson = ({ changed, unchanged, refused, transactions }: Omit<Counts, 'pending'>) => ({
  changed,
  unchanged,
  refused,
  transactions,
});
