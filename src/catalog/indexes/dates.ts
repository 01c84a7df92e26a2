import { allOf, type CatalogIndex } from '../catalog-index.ts';
import type { Constraint, SqlParameters } from '../query.ts';
import { dateSpan, parseDate } from '../values.ts';

/** The least and the greatest of the dates that a client gave. */
export function dateBounds(index: string, values: readonly unknown[]): { least: Date; greatest: Date } {
  const times = values.map((value) => parseDate(index, value).getTime());
  const least = times.reduce((a, b) => Math.min(a, b));
  return { least: new Date(least), greatest: new Date(times.reduce((a, b) => Math.max(a, b))) };
}

/** The condition of a constraint on a date. A date without a range means its day or its minute, as far as it is said. */
function datesCondition(
  index: string,
  expression: string,
  { values, range, not }: Constraint,
  parameters: SqlParameters,
): string | undefined {
  const exactly = (value: unknown) => {
    const { from, to } = dateSpan(index, value);
    return `(${expression} >= ${parameters.add(from)}::timestamptz and ${expression} < ${parameters.add(to)}::timestamptz)`;
  };
  const within = () => {
    const { least, greatest } = dateBounds(index, values);
    return allOf([
      range === 'max' ? undefined : `${expression} >= ${parameters.add(least)}::timestamptz`,
      range === 'min' ? undefined : `${expression} <= ${parameters.add(greatest)}::timestamptz`,
    ]);
  };
  return allOf([
    values.length === 0 ? undefined : range ? within() : values.map(exactly).join(' or '),
    ...not.map((value) => `coalesce(not ${exactly(value)}, true)`),
  ]);
}

/** An index of dates. `sort` is the expression to sort by where objects without a date have a place of their own. */
export const dateIndex = (name: string, column: string, sort = column): CatalogIndex => ({
  name,
  condition: (constraint, parameters) => datesCondition(name, column, constraint, parameters),
  sort: () => sort,
});

/** An index of a time with beginning and end, each null for ever: it is in force at the dates that are asked for. */
export const dateRangeIndex = (name: string, from: string, to: string): CatalogIndex => ({
  name,
  condition({ values, not }, parameters) {
    const inForce = (value: unknown) => {
      const at = `${parameters.add(parseDate(name, value))}::timestamptz`;
      return `(coalesce(${from}, '-infinity') <= ${at} and coalesce(${to}, 'infinity') > ${at})`;
    };
    return allOf([
      values.length === 0 ? undefined : values.map(inForce).join(' or '),
      ...not.map((value) => `not ${inForce(value)}`),
    ]);
  },
});

/** An index of what takes place several times, in a column of type tstzmultirange: one of the times must fit. */
export const recurringDateIndex = (name: string, column: string): CatalogIndex => ({
  name,
  condition({ values, range, not }, parameters) {
    const between = (from: Date | null, to: Date | null, bounds: '[]' | '[)') =>
      `${column} && tstzrange(${parameters.add(from)}::timestamptz, ${parameters.add(to)}::timestamptz, '${bounds}')`;
    const exactly = (value: unknown) => {
      const { from, to } = dateSpan(name, value);
      return between(from, to, '[)');
    };
    const within = () => {
      const { least, greatest } = dateBounds(name, values);
      return between(range === 'max' ? null : least, range === 'min' ? null : greatest, '[]');
    };
    return allOf([
      values.length === 0 ? undefined : range ? within() : values.map(exactly).join(' or '),
      ...not.map((value) => `coalesce(not (${exactly(value)}), true)`),
    ]);
  },
  sort: () => `lower(${column})`,
});
