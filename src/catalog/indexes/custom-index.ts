import { BadRequest } from '../../lib/errors.ts';
import { allOf, type CatalogIndex, type IndexSource } from '../catalog-index.ts';
import type { Constraint } from '../constraint.ts';
import { dateSpan, parseClientDate, readBoolean, readNumber, readText } from '../read-value.ts';
import type { SqlParameters } from '../sql-parameters.ts';
import { dateBounds } from './date-index.ts';

/** Kinds of indexes that types and add-ons may declare. */
const CUSTOM_KINDS = ['field', 'keyword', 'boolean', 'number', 'date'] as const;
export type CustomKind = (typeof CUSTOM_KINDS)[number];

/** Whether a declaration names a kind of index. */
export const isCustomKind = (value: unknown): value is CustomKind => CUSTOM_KINDS.some((kind) => kind === value);

/** Characters of one text that are kept, and keywords of one object. */
const LONGEST = 1000;
const MOST_KEYWORDS = 500;
/** Values of one constraint. */
const MOST_VALUES = 200;

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST;

/** The form in which a value is kept; undefined for what the kind cannot hold. */
const KEPT: Record<CustomKind, (value: unknown) => unknown> = {
  field: (value) => (isText(value) || typeof value === 'number' ? String(value) : undefined),
  keyword: (value) =>
    Array.isArray(value) ? value.filter(isText).slice(0, MOST_KEYWORDS) : isText(value) ? [value] : undefined,
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  number: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
  date: (value) => parseClientDate(value)?.toISOString(),
};

/** The value of a client in the form of `KEPT`. Throws BadRequest. */
const READ: Record<CustomKind, (index: string, value: unknown) => unknown> = {
  field: readText,
  keyword: (index, value) => [readText(index, value)],
  boolean: readBoolean,
  number: readNumber,
  date: readText,
};

/** Bounds of a range: texts and dates by their bytes (dates are ISO 8601 in UTC), numbers by their size. */
function withinRange(name: string, kind: CustomKind, { values, range }: Constraint, parameters: SqlParameters) {
  const field = `${parameters.add(name)}::text`;
  const between = (value: string, least: unknown, greatest: unknown, type: string) =>
    allOf([
      range === 'max' ? undefined : `${value} >= ${parameters.add(least)}::${type}`,
      range === 'min' ? undefined : `${value} <= ${parameters.add(greatest)}::${type}`,
    ]);
  if (kind === 'number') {
    const sorted = values.map((value) => readNumber(name, value)).sort((a, b) => a - b);
    return between(`(k.custom->${field})`, JSON.stringify(sorted[0]), JSON.stringify(sorted.at(-1)), 'jsonb');
  }
  const text = `(k.custom->>${field}) collate "C"`;
  if (kind === 'date') {
    const { least, greatest } = dateBounds(name, values);
    return between(text, least.toISOString(), greatest.toISOString(), 'text');
  }
  const sorted = values.map((value) => readText(name, value)).sort();
  return between(text, sorted[0], sorted.at(-1), 'text');
}

/** That the catalog keeps this value for the object, or has it among its keywords. */
function hasValue(name: string, kind: CustomKind, value: unknown, parameters: SqlParameters): string {
  if (kind === 'date') {
    const { from, to } = dateSpan(name, value);
    const text = `(k.custom->>${parameters.add(name)}::text) collate "C"`;
    return `(${text} >= ${parameters.add(from.toISOString())}::text and ${text} < ${parameters.add(to.toISOString())}::text)`;
  }
  return `k.custom @> ${parameters.add(JSON.stringify({ [name]: READ[kind](name, value) }))}::jsonb`;
}

/** An index that a type or an add-on declares: its values are kept in the catalog under its name. */
export const customIndex = (
  name: string,
  kind: CustomKind,
  value: (source: IndexSource) => unknown = ({ fields }) => fields[name],
): CatalogIndex => ({
  name,
  store: (source) => KEPT[kind](value(source)),
  condition(constraint, parameters) {
    const { values, operator, range, not } = constraint;
    if (values.length + not.length > MOST_VALUES)
      throw new BadRequest(`Invalid ${name}: ${MOST_VALUES} values at most.`);
    const has = (list: readonly unknown[], joint: string) =>
      list.map((one) => hasValue(name, kind, one, parameters)).join(joint);
    return allOf([
      values.length === 0
        ? undefined
        : range && kind !== 'boolean' && kind !== 'keyword'
          ? withinRange(name, kind, constraint, parameters)
          : has(values, operator === 'and' ? ' and ' : ' or '),
      not.length === 0 ? undefined : `coalesce(not (${has(not, ' or ')}), true)`,
    ]);
  },
  ...(kind === 'keyword' ? {} : { sort: (parameters) => `k.custom->${parameters.add(name)}::text` }),
});
