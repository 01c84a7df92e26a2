import { BadRequest } from '../../../lib/errors.ts';
import { isJsonObject } from '../../../lib/json-object.ts';
import { type Constraint, constraint, type PathScope } from '../query.ts';
import { mungeText } from '../text-query.ts';
import { parseClientDate, parseText } from '../values.ts';
import { dayEnd, dayStart } from './day-start.ts';
import { absoluteScope, type ListingPlace, relativeScope, uidIn } from './listing-path.ts';

/** One condition of a listing: index, operation, value. */
export type Row = { index: string; operation: string; value: unknown };

/** Conditions of one query. */
export const MAX_ROWS = 100;

/** The prefix of the full names of operations; short names are accepted, too (Nick). */
export const PREFIX = 'plone.app.querystring.operation.';

/** Converts a condition from the form that clients send and collections store: index, operation and value. */
export const conditionOf = ({ i: index, o, v: value }: { i: string; o: string; v?: unknown }): Row => ({
  index,
  operation: o.startsWith(PREFIX) ? o.slice(PREFIX.length) : o,
  value,
});

/** Parses the conditions of a query that a collection stores. Throws BadRequest for anything else. */
export function parseRows(value: unknown): Row[] {
  if (!Array.isArray(value) || value.length === 0) throw new BadRequest('No query supplied');
  if (value.length > MAX_ROWS) throw new BadRequest(`A query has ${MAX_ROWS} conditions at most.`);
  return value.map((row: unknown) => {
    if (!isJsonObject(row) || typeof row.i !== 'string' || typeof row.o !== 'string') {
      throw new BadRequest(
        'Invalid query. Each condition is an object with "i" (index), "o" (operation) and "v" (value).',
      );
    }
    return conditionOf({ i: row.i, o: row.o, v: row.v });
  });
}

/** Says if a value is empty: editors send conditions without a value, which are ignored. */
export const isEmptyValue = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.every(isEmptyValue));

/** A value as a list. */
export const valuesOf = (value: unknown): unknown[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => !isEmptyValue(one));

/** The context of operations beside their values. */
export type ListingContext = ListingPlace & {
  now: Date;
  /** Name of the time zone in which days are counted. */
  timeZone: string;
  /** Id of the caller; null for nobody. */
  user: string | null;
  /** UID of the object at a path that the query names. */
  uidOf(path: string): string | undefined;
};

/** The meaning of a condition: a constraint, places, or nothing. */
export type Meaning = { constraint: Constraint } | { paths: PathScope[] } | undefined;

type Operation = (row: Row, context: ListingContext) => Meaning;

/** Maximum number of days from now to a relative date: 270 years. */
const MAX_DAYS = 100_000;

const means = (values: readonly unknown[], more?: Partial<Constraint>): Meaning => ({
  constraint: constraint(values, more),
});
const range = (values: readonly unknown[], kind: Constraint['range']): Meaning =>
  means(values, kind === undefined ? {} : { range: kind });

/** An operation that needs a value; without a value the condition is ignored. */
const withValue =
  (operation: Operation): Operation =>
  (row, context) =>
    isEmptyValue(row.value) ? undefined : operation(row, context);

function days({ index, value }: Row): number {
  const [text] = valuesOf(value);
  const number = typeof text === 'string' && /^\s*[+-]?\d{1,9}\s*$/.test(text) ? Number(text) : text;
  if (typeof number === 'number' && Number.isInteger(number) && Math.abs(number) <= MAX_DAYS) return number;
  throw new BadRequest(`Invalid ${index}: not a number of days.`);
}

/** A whole number; no condition for any other value (plone.restapi §6.4). */
const integer = (kind?: Constraint['range']) =>
  withValue(({ value }) => {
    const [text] = valuesOf(value);
    const number = typeof text === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(text) ? Number(text) : text;
    return typeof number === 'number' && Number.isInteger(number) ? range([number], kind) : undefined;
  });

const bound = (kind: Constraint['range']) => withValue(({ value }) => range(valuesOf(value).slice(0, 1), kind));

/** An operation on paths; an empty text is the place to which paths are relative. */
const path =
  (scope: (text: string, context: ListingContext) => PathScope | undefined): Operation =>
  (row, context) => ({
    paths: (isEmptyValue(row.value) ? [''] : valuesOf(row.value)).flatMap(
      (value) => scope(parseText(row.index, value), context) ?? [],
    ),
  });

const any: Operation = ({ value }) => means(valuesOf(value));
const none: Operation = ({ value }) => means([], { not: valuesOf(value) });

const contains: Operation = ({ index, value }) => {
  const values = valuesOf(value);
  return means(index === 'SearchableText' ? values.map((text) => mungeText(parseText(index, text))) : values);
};

const reference: Operation = ({ index, value }, { uidOf }) =>
  means(
    valuesOf(value).map((one) => {
      const text = parseText(index, one);
      return uidIn(text) ?? uidOf(text) ?? text;
    }),
  );

/** The operations of plone.app.querystring (plone.restapi §6.4), without their common prefix. */
const OPERATIONS: Record<string, Operation> = {
  'string.is': withValue(any),
  'string.isNot': withValue(none),
  'string.contains': withValue(contains),
  'string.currentUser': (_row, { user }) => means([user ?? '']),
  // Permissions, not the query, decide if inactive content is found.
  'string.showInactive': () => undefined,
  'string.absolutePath': path((text, context) => absoluteScope(text, context)),
  'string.path': path((text, context) => absoluteScope(text, context, context.navigationRoot)),
  'string.relativePath': path((text, context) => relativeScope(text, context)),
  'selection.is': withValue(any),
  'selection.any': withValue(any),
  'selection.all': withValue(({ value }) => means(valuesOf(value), { operator: 'and' })),
  'selection.none': withValue(none),
  'intselection.is': withValue(any),
  'list.contains': withValue(any),
  'reference.is': withValue(reference),
  'boolean.isTrue': () => means([true]),
  'boolean.isFalse': () => means([false]),
  'int.is': integer(),
  'int.lessThan': integer('max'),
  'int.largerThan': integer('min'),
  'date.lessThan': bound('max'),
  'date.largerThan': bound('min'),
  'date.between': withValue(({ value }, { now }) => {
    const [from, to] = Array.isArray(value) ? value : [value];
    return range([parseClientDate(from) ?? new Date(0), parseClientDate(to) ?? now], 'min:max');
  }),
  'date.today': (_row, { now, timeZone }) => range([dayStart(now, 0, timeZone), dayEnd(now, 0, timeZone)], 'min:max'),
  'date.afterToday': (_row, { now }) => range([now], 'min'),
  'date.beforeToday': (_row, { now }) => range([now], 'max'),
  'date.lessThanRelativeDate': withValue((row, { now, timeZone }) =>
    range([dayStart(now, 0, timeZone), dayEnd(now, days(row), timeZone)], 'min:max'),
  ),
  'date.largerThanRelativeDate': withValue((row, { now, timeZone }) =>
    range([dayStart(now, -days(row), timeZone), dayEnd(now, 0, timeZone)], 'min:max'),
  ),
  'date.beforeRelativeDate': withValue((row, { now, timeZone }) => range([dayStart(now, -days(row), timeZone)], 'max')),
  'date.afterRelativeDate': withValue((row, { now, timeZone }) => range([dayStart(now, days(row), timeZone)], 'min')),
};

/** The meaning of a condition. Throws BadRequest for an unknown operation and for values that it cannot have. */
export function meaningOf(row: Row, context: ListingContext): Meaning {
  const operation = Object.hasOwn(OPERATIONS, row.operation) ? OPERATIONS[row.operation] : undefined;
  if (!operation) throw new BadRequest(`Invalid query. Unknown operation "${row.operation.slice(0, 80)}".`);
  return operation(row, context);
}
