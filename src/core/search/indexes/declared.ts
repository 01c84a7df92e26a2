import { BadRequest } from '../../../lib/errors.ts';
import type { ContentType, FieldIndex } from '../../types/content-type.ts';
import type { IndexKind } from '../../types/index-kinds.ts';
import type { CatalogIndex, CountedValue, IndexSource, OfferedIndex } from '../catalog-index.ts';
import { allOf, type Expression, everyOf, madeOf, ofCatalog, ofContent, ofNeither, ofOwnRows } from '../expression.ts';
import { type Constraint, constraint, type SqlParameters } from '../query.ts';
import { CATALOG_NAME, dateSpan, keptValue, parseBoolean, parseClientDate, parseNumber, parseText } from '../values.ts';
import { referenceIndex, TYPE } from './basic.ts';
import { dateBounds } from './dates.ts';
import { textIndex } from './text-index.ts';

/** Kinds of indexes whose values the catalog stores unchanged. */
export type KeptKind = Exclude<IndexKind, 'text' | 'uuid'>;

/** Maximum number of values of one constraint. */
const MAX_VALUES = 200;

/** The place of the values of an index. */
type KeptIndex = {
  /** The name in queries. */
  name: string;
  /** The name under which the catalog stores the values, see `keptValues`. */
  key: string;
  kind: KeptKind;
  sortable: boolean;
};

/** The value of a client in its stored form. Throws BadRequest. */
function parseKept({ name, kind }: KeptIndex, value: unknown): string | number | boolean {
  if (kind === 'boolean') return parseBoolean(name, value);
  return kind === 'number' ? parseNumber(name, value) : parseText(name, value);
}

/** The condition that one of the stored values is this one. */
function hasValue(index: KeptIndex, value: unknown, parameters: SqlParameters): Expression {
  const kept = parseKept(index, value);
  const form = { [index.key]: index.kind === 'keyword' ? [kept] : kept };
  return ofCatalog(`k.custom @> ${parameters.add(JSON.stringify(form))}::jsonb`);
}

/** The condition that the value, in one of the forms of `RangedValue`, meets a condition on `v`. */
const valueMeets = ({ key }: KeptIndex, condition: string | undefined, parameters: SqlParameters): Expression =>
  ofOwnRows(
    ofContent(
      `exists (select from catalog_value v where v.oid = c.oid and v.name = ${parameters.add(key)}::text and (${condition}))`,
    ),
  );

/** The condition for dates on the day or in the minute that a value names. */
function onDate({ name }: KeptIndex, value: unknown, parameters: SqlParameters): string {
  const { from, to } = dateSpan(name, value);
  return `v.at >= ${parameters.add(from)}::timestamptz and v.at < ${parameters.add(to)}::timestamptz`;
}

/** The condition for values between the bounds of a constraint: texts by bytes, numbers and dates by size. */
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
    const sorted = values.map((value) => parseNumber(name, value)).sort((a, b) => a - b);
    return between('number', 'float8', sorted[0], sorted.at(-1));
  }
  const sorted = values.map((value) => parseText(name, value)).sort();
  return between('text', 'text', sorted[0], sorted.at(-1));
}

const RANGED: ReadonlySet<KeptKind> = new Set(['field', 'number', 'date']);

/** The condition that the object has one of the values, or all of them. */
function has(index: KeptIndex, values: readonly unknown[], joint: 'or' | 'and', parameters: SqlParameters): Expression {
  if (index.kind !== 'date') {
    const each = values.map((value) => hasValue(index, value, parameters));
    return madeOf(each, each.map(({ sql }) => sql).join(` ${joint} `));
  }
  const dates = values.map((value) => `(${onDate(index, value, parameters)})`).join(` ${joint} `);
  return valueMeets(index, dates, parameters);
}

/** The key by which results are sorted. It is in the row of the object and needs no further lookup. */
function sortKey({ key, kind }: KeptIndex, parameters: SqlParameters): Expression {
  const name = `${parameters.add(key)}::text`;
  return ofCatalog(kind === 'field' || kind === 'date' ? `(k.custom->>${name}) collate "C"` : `k.custom->${name}`);
}

/** The value by which results are counted: the stored value as a text, each item of a list, the year of a date. */
function keptCounted({ key, kind }: KeptIndex, parameters: SqlParameters): CountedValue {
  const name = `${parameters.add(key)}::text`;
  if (kind !== 'keyword')
    return { expression: ofCatalog(kind === 'date' ? `left(k.custom->>${name}, 4)` : `k.custom->>${name}`) };
  const value = `k.custom->${name}`;
  const list = `case jsonb_typeof(${value}) when 'array' then ${value} else '[]'::jsonb end`;
  return { expression: ofOwnRows(ofCatalog(`array(select jsonb_array_elements_text(${list}))`)), several: true };
}

const negated = (condition: Expression): Expression => ({ ...condition, sql: `not (${condition.sql})` });

/** An index of values that the catalog stores under a name. */
function keptIndex(index: KeptIndex): CatalogIndex {
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
      return everyOf([
        values.length === 0 ? undefined : given(),
        not.length === 0 ? undefined : negated(has(index, not, 'or', parameters)),
      ]);
    },
    ...(sortable && { sort: (parameters) => sortKey(index, parameters) }),
    counted: (parameters) => keptCounted(index, parameters),
  };
}

const SORTED: ReadonlySet<KeptKind> = new Set(['field', 'boolean', 'number', 'date']);

/** The stored form of a value; undefined for a value that does not fit the kind. */
const FORMS: Record<KeptKind, (value: unknown) => unknown> = {
  field: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined),
  keyword: (value) => (Array.isArray(value) ? value : [value]),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  number: (value) => (typeof value === 'number' ? value : undefined),
  date: (value) => parseClientDate(value)?.toISOString(),
};

/**
 * An index that an add-on registers with a function of its own. The catalog stores its values under its name; existing content gets them by a
 * reindex. The editor of queries offers the index if `offered` describes it.
 */
export function customIndex(
  name: string,
  kind: KeptKind,
  value: (source: IndexSource) => unknown,
  offered?: Pick<OfferedIndex, 'title'> & Partial<OfferedIndex>,
): CatalogIndex {
  if (!CATALOG_NAME.test(name)) throw new Error(`No index can be called ${JSON.stringify(name)}`);
  const sortable = SORTED.has(kind) && offered?.sortable !== false;
  return {
    ...keptIndex({ name, key: name, kind, sortable }),
    store: (source) => keptValue(FORMS[kind](value(source))),
    ...(offered === undefined
      ? {}
      : {
          offered: {
            description: '',
            group: kind === 'date' ? 'Dates' : 'Metadata',
            enabled: true,
            ...offered,
            kind,
            sortable,
          },
        }),
  };
}

type Types = ReadonlyMap<string, ContentType>;

/** An index with all types that declare it; the first type decides how it is shown. */
type Declared = { index: FieldIndex; types: string[] };

function collect(types: Types): Map<string, Declared> {
  const found = new Map<string, Declared>();
  for (const [id, { indexes }] of types) {
    for (const index of indexes) {
      const declared = found.get(index.name);
      if (declared) declared.types.push(id);
      else found.set(index.name, { index, types: [id] });
    }
  }
  return found;
}

/** The index of a field, for objects of any type. */
function ofField({ name, kind, field, sortable }: FieldIndex): CatalogIndex {
  if (kind === 'text') return textIndex(name, { field: field.name });
  if (kind === 'uuid') return referenceIndex(name, field.name);
  return keptIndex({ name, key: field.name, kind, sortable });
}

/** The value of an expression for objects that a condition holds for, null for others. */
const whenOnly = (condition: Expression, value: Expression): Expression =>
  madeOf([condition, value], `case when ${condition.sql} then ${value.sql} end`);

/** Values of objects that a condition holds for. */
const countedAmong = (
  condition: Expression,
  value: CountedValue = { expression: ofNeither('null') },
): CountedValue => ({
  ...value,
  expression: whenOnly(condition, value.expression),
});

/** An index that finds only objects of some types. */
function among(types: readonly string[], index: CatalogIndex): CatalogIndex {
  const isOne = (parameters: SqlParameters) => ({ ...TYPE, sql: `c.type = any(${parameters.add(types)}::text[])` });
  const { sort } = index;
  return {
    ...index,
    condition(given, parameters, context) {
      const has = (part: Constraint) => {
        const found = index.condition?.(part, parameters, context);
        if (!found) return undefined;
        const isOfType = isOne(parameters);
        return madeOf([found, isOfType], `(${found.sql}) and ${isOfType.sql}`);
      };
      const hasNot = (values: readonly unknown[]) => {
        const found = has(constraint(values));
        return found && negated(found);
      };
      // Several texts count as one text with all their words.
      const excluded = index.words ? given.not.map((value) => [value]) : given.not.length === 0 ? [] : [given.not];
      return everyOf([given.values.length === 0 ? undefined : has({ ...given, not: [] }), ...excluded.map(hasNot)]);
    },
    ...(sort && { sort: (parameters) => whenOnly(isOne(parameters), sort(parameters)) }),
    ...(index.counted && { counted: (parameters) => countedAmong(isOne(parameters), index.counted?.(parameters)) }),
  };
}

function compiled({ index, types }: Declared): CatalogIndex {
  const { name, ...offered } = index;
  return { ...among(types, ofField(index)), name, offered };
}

/**
 * The indexes that fields of the site's types declare, by their names. Each index finds only objects of the types that declare it, because a field of
 * the same name in another type may have a read permission.
 */
export const declaredIndexes = (types: Types): ReadonlyMap<string, CatalogIndex> =>
  new Map([...collect(types)].map(([name, declared]) => [name, compiled(declared)]));
