import { BadRequest } from '../../lib/errors.ts';
import type { IndexKind } from '../../types/index-kinds.ts';
import { allOf, type CatalogIndex } from '../catalog-index.ts';
import type { Constraint } from '../constraint.ts';
import { dateSpan, readBoolean, readNumber, readText } from '../read-value.ts';
import type { SqlParameters } from '../sql-parameters.ts';
import { dateBounds } from './date-index.ts';

/** Kinds of indexes whose values the catalog keeps as they are. */
export type KeptKind = Exclude<IndexKind, 'text' | 'uuid'>;

/** Values of one constraint. */
const MAX_VALUES = 200;

/** Where the values of an index are. */
export type KeptIndex = {
  /** The name by which queries know it. */
  name: string;
  /** The name under which the catalog keeps the values, see `keptValues`. */
  key: string;
  kind: KeptKind;
  sortable: boolean;
};

/** The value of a client in the form in which it is kept. Throws BadRequest. */
function readKept({ name, kind }: KeptIndex, value: unknown): string | number | boolean {
  if (kind === 'boolean') return readBoolean(name, value);
  return kind === 'number' ? readNumber(name, value) : readText(name, value);
}

/** That one of the kept values is this one. */
function hasValue(index: KeptIndex, value: unknown, parameters: SqlParameters): string {
  const kept = readKept(index, value);
  const form = { [index.key]: index.kind === 'keyword' ? [kept] : kept };
  return `k.custom @> ${parameters.add(JSON.stringify(form))}::jsonb`;
}

/** That the value, in one of the forms of `RangedValue`, meets a condition on `v`. */
const valueMeets = ({ key }: KeptIndex, condition: string | undefined, parameters: SqlParameters): string =>
  `exists (select from catalog_value v where v.oid = c.oid and v.name = ${parameters.add(key)}::text and (${condition}))`;

/** On the day or in the minute that a value names. */
function onDate({ name }: KeptIndex, value: unknown, parameters: SqlParameters): string {
  const { from, to } = dateSpan(name, value);
  return `v.at >= ${parameters.add(from)}::timestamptz and v.at < ${parameters.add(to)}::timestamptz`;
}

/** Between the bounds of a constraint: texts by their bytes, numbers and dates by their size. */
function withinRange({ name, kind }: KeptIndex, { values, range }: Constraint, parameters: SqlParameters) {
  const between = (column: string, type: string, least: unknown, greatest: unknown) =>
    allOf([
      range === 'max' ? undefined : `v.${column} >= ${parameters.add(least)}::${type}`,
      range === 'min' ? undefined : `v.${column} <= ${parameters.add(greatest)}::${type}`,
    ]);
  if (kind === 'date') {
    const { least, greatest } = dateBounds(name, values);
    return between('at', 'timestamptz', least, greatest);
  }
  if (kind === 'number') {
    const sorted = values.map((value) => readNumber(name, value)).sort((a, b) => a - b);
    return between('number', 'float8', sorted[0], sorted.at(-1));
  }
  const sorted = values.map((value) => readText(name, value)).sort();
  return between('text', 'text', sorted[0], sorted.at(-1));
}

const RANGED: ReadonlySet<KeptKind> = new Set(['field', 'number', 'date']);

/** That one of the values is kept for the object, or all of them. */
function has(index: KeptIndex, values: readonly unknown[], joint: 'or' | 'and', parameters: SqlParameters): string {
  if (index.kind !== 'date') return values.map((value) => hasValue(index, value, parameters)).join(` ${joint} `);
  const dates = values.map((value) => `(${onDate(index, value, parameters)})`).join(` ${joint} `);
  return valueMeets(index, dates, parameters);
}

/** What is sorted by. Kept in the row of the object, it costs no further look-up. */
function sortKey({ key, kind }: KeptIndex, parameters: SqlParameters): string {
  const name = `${parameters.add(key)}::text`;
  return kind === 'field' || kind === 'date' ? `(k.custom->>${name}) collate "C"` : `k.custom->${name}`;
}

/** An index of values that the catalog keeps under a name. */
export function keptIndex(index: KeptIndex): CatalogIndex {
  const { name, kind, sortable } = index;
  return {
    name,
    condition(constraint, parameters) {
      const { values, operator, range, not } = constraint;
      if (values.length + not.length > MAX_VALUES)
        throw new BadRequest(`Invalid ${name}: ${MAX_VALUES} values at most.`);
      const given = () =>
        range && RANGED.has(kind)
          ? valueMeets(index, withinRange(index, constraint, parameters), parameters)
          : has(index, values, operator, parameters);
      return allOf([
        values.length === 0 ? undefined : given(),
        not.length === 0 ? undefined : `not (${has(index, not, 'or', parameters)})`,
      ]);
    },
    ...(sortable && { sort: (parameters) => sortKey(index, parameters) }),
  };
}
