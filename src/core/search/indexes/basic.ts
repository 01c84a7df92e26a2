import type { ContentType } from '../../types/content-type.ts';
import type { CatalogIndex } from '../catalog-index.ts';
import { allOf, conditionOn, type Expression, ofContent, ofSharedContent } from '../expression.ts';
import type { Constraint, Range, SqlParameters } from '../query.ts';
import { parseBoolean, parseNumber, parseText } from '../values.ts';

/** The condition that an expression lies in a range of texts. */
function within(expression: string, values: string[], range: Range, parameters: SqlParameters): string | undefined {
  const sorted = [...values].sort();
  const [least, greatest] = [sorted[0], sorted.at(-1)];
  return allOf([
    range !== 'max' ? `${expression} >= ${parameters.add(least)}::text` : undefined,
    range !== 'min' ? `${expression} <= ${parameters.add(greatest)}::text` : undefined,
  ]);
}

/** The condition of a constraint on a text. `read` turns a client's value into the texts that it stands for. */
function textsCondition(
  index: string,
  column: Expression,
  { values, range, not }: Constraint,
  parameters: SqlParameters,
  read: (text: string) => readonly string[] = (text) => [text],
): Expression | undefined {
  const expression = column.sql;
  const texts = (list: readonly unknown[]) => list.flatMap((value) => read(parseText(index, value)));
  const one = () => `${expression} = any(${parameters.add(texts(values))}::text[])`;
  return conditionOn(
    column,
    allOf([
      values.length === 0 ? undefined : range ? within(expression, texts(values), range, parameters) : one(),
      not.length === 0 ? undefined : `coalesce(${expression} <> all(${parameters.add(texts(not))}::text[]), true)`,
    ]),
  );
}

/** An index with one text for each object, in `column`. Repeated values are alternatives. */
export const fieldIndex = (
  name: string,
  column: Expression,
  read?: (text: string) => readonly string[],
): CatalogIndex => ({
  name,
  condition: (constraint, parameters) => textsCondition(name, column, constraint, parameters, read),
  sort: () => column,
});

/** An index of identifiers, which cannot be sorted by. */
export const uuidIndex = (name: string, column: Expression): CatalogIndex => {
  const { condition } = fieldIndex(name, column);
  return condition ? { name, condition } : { name };
};

/** An index with several texts for each object, in a column of type text[]. */
export const keywordIndex = (name: string, column: Expression): CatalogIndex => ({
  name,
  condition({ values, operator, range, not }, parameters) {
    const texts = (list: readonly unknown[]) => parameters.add(list.map((value) => parseText(name, value)));
    const given = () => {
      if (!range) return `${column.sql} ${operator === 'and' ? '@>' : '&&'} ${texts(values)}::text[]`;
      const sorted = values.map((value) => parseText(name, value)).sort();
      const bounds = allOf([
        range === 'max' ? undefined : `word >= ${parameters.add(sorted[0])}::text`,
        range === 'min' ? undefined : `word <= ${parameters.add(sorted.at(-1))}::text`,
      ]);
      return `exists (select from unnest(${column.sql}) word where ${bounds})`;
    };
    return conditionOn(
      column,
      allOf([
        values.length === 0 ? undefined : given(),
        not.length === 0 ? undefined : `not (${column.sql} && ${texts(not)}::text[])`,
      ]),
    );
  },
});

/** An index of truth values; `expression` is never null. */
export const booleanIndex = (name: string, expression: Expression): CatalogIndex => ({
  name,
  condition: ({ values, not }, parameters) => {
    const read = (list: readonly unknown[]) => parameters.add(list.map((value) => parseBoolean(name, value)));
    return conditionOn(
      expression,
      allOf([
        values.length === 0 ? undefined : `${expression.sql} = any(${read(values)}::boolean[])`,
        not.length === 0 ? undefined : `${expression.sql} <> all(${read(not)}::boolean[])`,
      ]),
    );
  },
  sort: () => expression,
});

/** An index of numbers, in a numeric column. */
export const positionIndex = (name: string, column: Expression): CatalogIndex => ({
  name,
  condition({ values, range, not }, parameters) {
    const numbers = (list: readonly unknown[]) => list.map((value) => parseNumber(name, value));
    const add = (value: unknown) => `${parameters.add(value)}::float8`;
    const within = () => {
      const sorted = numbers(values).sort((a, b) => a - b);
      return allOf([
        range === 'max' ? undefined : `${column.sql} >= ${add(sorted[0])}`,
        range === 'min' ? undefined : `${column.sql} <= ${add(sorted.at(-1))}`,
      ]);
    };
    const one = () => `${column.sql} = any(${parameters.add(numbers(values))}::float8[])`;
    return conditionOn(
      column,
      allOf([
        values.length === 0 ? undefined : range ? within() : one(),
        not.length === 0 ? undefined : `${column.sql} <> all(${parameters.add(numbers(not))}::float8[])`,
      ]),
    );
  },
  sort: () => column,
});

/** The type of an object. */
export const TYPE = ofSharedContent('c.type');

/**
 * An index of a property of types. It is looked up in the types of the site, so that a change of a type counts at once. `has` says if a type has the
 * value of a client.
 */
export const typeIndex = (name: string, has: (type: ContentType, value: unknown) => boolean): CatalogIndex => ({
  name,
  condition({ values, operator, not }, parameters, { types }) {
    const ids = (fits: (type: ContentType) => boolean) =>
      parameters.add([...types.values()].filter(fits).map(({ id }) => id));
    const some = (type: ContentType) => values.some((value) => has(type, value));
    const every = (type: ContentType) => values.every((value) => has(type, value));
    return conditionOn(
      TYPE,
      allOf([
        values.length === 0 ? undefined : `c.type = any(${ids(operator === 'and' ? every : some)}::text[])`,
        not.length === 0 ? undefined : `c.type <> all(${ids((type) => not.some((value) => has(type, value)))}::text[])`,
      ]),
    );
  },
});

/**
 * An index of the UIDs that objects refer to by one of their relation fields. A hidden target has no references for the caller, because the field
 * itself does not show it.
 */
export const referenceIndex = (name: string, relation: string): CatalogIndex => ({
  name,
  condition({ values, operator, not }, parameters, { principals, rule }) {
    const field = parameters.add(relation);
    const viewers = parameters.add(principals);
    const visible = (targets: readonly string[]) =>
      `array(select t.uid from content t join catalog kt on kt.oid = t.oid
        where t.uid = any(${parameters.add(targets)}::text[]) and ${rule.viewable(viewers, { catalog: 'kt', content: 't' })})`;
    const refers = (targets: readonly string[]) =>
      `exists (select from reference r where r.source = c.oid and r.relation = ${field}::text and r.target = any(${visible(targets)}))`;
    const read = (list: readonly unknown[]) => list.map((value) => parseText(name, value));
    const given = () =>
      operator === 'and' ? allOf(read(values).map((target) => refers([target]))) : refers(read(values));
    return conditionOn(
      ofContent('c.oid'),
      allOf([values.length === 0 ? undefined : given(), not.length === 0 ? undefined : `not ${refers(read(not))}`]),
    );
  },
});
