import type { CatalogIndex } from '../catalog-index.ts';
import { allOf, conditionOn, type Expression, madeOf } from '../expression.ts';
import type { Constraint, SqlParameters } from '../query.ts';
import { dateSpan, parseDate } from '../values.ts';

/** The least and the greatest of the dates that a client gave. */
export function dateBounds(index: string, values: readonly unknown[]): { least: Date; greatest: Date } {
  const times = values.map((value) => parseDate(index, value).getTime());
  const least = times.reduce((a, b) => Math.min(a, b));
  return { least: new Date(least), greatest: new Date(times.reduce((a, b) => Math.max(a, b))) };
}

/** A date of content, and the end of time (`absent`) at which content without a date stands; without `absent` such content is in no range. */
type DateColumn = { index: string; column: Expression; absent?: Absent | undefined };

/** Content without a publication date has always been public, without an expiry date it never expires (Plone's DateIndex). */
type Absent = '-infinity' | 'infinity';

/** The condition of a constraint on a date. A date without a range means its minute, or without a time its day. */
function datesCondition(
  { index, column, absent }: DateColumn,
  { values, range, not }: Constraint,
  parameters: SqlParameters,
): Expression | undefined {
  const expression = column.sql;
  const orAbsent = (condition: string, at: Absent) =>
    absent === at ? `(${condition} or ${expression} is null)` : condition;
  const exactly = (value: unknown) => {
    const { from, to } = dateSpan(index, value);
    return `(${expression} >= ${parameters.add(from)}::timestamptz and ${expression} < ${parameters.add(to)}::timestamptz)`;
  };
  const within = () => {
    const { least, greatest } = dateBounds(index, values);
    return allOf([
      range === 'max' ? undefined : orAbsent(`${expression} >= ${parameters.add(least)}::timestamptz`, 'infinity'),
      range === 'min' ? undefined : orAbsent(`${expression} <= ${parameters.add(greatest)}::timestamptz`, '-infinity'),
    ]);
  };
  return conditionOn(
    column,
    allOf([
      values.length === 0 ? undefined : range ? within() : values.map(exactly).join(' or '),
      ...not.map((value) => `coalesce(not ${exactly(value)}, true)`),
    ]),
  );
}

/** An index of dates. Objects without a date stand at the end of time that `absent` names, in ranges and in order. */
export const dateIndex = (name: string, column: Expression, absent?: Absent): CatalogIndex => ({
  name,
  condition: (constraint, parameters) => datesCondition({ index: name, column, absent }, constraint, parameters),
  sort: () => (absent === 'infinity' ? { ...column, sql: `coalesce(${column.sql}, 'infinity')` } : column),
  ...(absent === '-infinity' && { lacking: 'least' }),
});

/** An index of a period with beginning and end, null for no bound: it fits if the period contains the searched dates. */
export const dateRangeIndex = (name: string, from: Expression, to: Expression): CatalogIndex => ({
  name,
  condition({ values, not }, parameters) {
    const inForce = (value: unknown) => {
      const at = `${parameters.add(parseDate(name, value))}::timestamptz`;
      return `(coalesce(${from.sql}, '-infinity') <= ${at} and coalesce(${to.sql}, 'infinity') > ${at})`;
    };
    return conditionOn(
      madeOf([from, to], ''),
      allOf([
        values.length === 0 ? undefined : values.map(inForce).join(' or '),
        ...not.map((value) => `not ${inForce(value)}`),
      ]),
    );
  },
});

/** An index of repeated times, in a column of type tstzmultirange: one of the times must fit. */
export const recurringDateIndex = (name: string, column: Expression): CatalogIndex => ({
  name,
  condition({ values, range, not }, parameters) {
    const between = (from: Date | null, to: Date | null, bounds: '[]' | '[)') =>
      `${column.sql} && tstzrange(${parameters.add(from)}::timestamptz, ${parameters.add(to)}::timestamptz, '${bounds}')`;
    const exactly = (value: unknown) => {
      const { from, to } = dateSpan(name, value);
      return between(from, to, '[)');
    };
    const within = () => {
      const { least, greatest } = dateBounds(name, values);
      return between(range === 'max' ? null : least, range === 'min' ? null : greatest, '[]');
    };
    return conditionOn(
      column,
      allOf([
        values.length === 0 ? undefined : range ? within() : values.map(exactly).join(' or '),
        ...not.map((value) => `coalesce(not (${exactly(value)}), true)`),
      ]),
    );
  },
  sort: () => ({ ...column, sql: `lower(${column.sql})` }),
});
