import type { FieldProblem } from '../../lib/errors.ts';
import { copyOf } from '../../lib/json-object.ts';
import type { Field } from './content-type.ts';
import { FieldError, type FieldKind, isEmptyValue, NestedFieldError, type WriteContext } from './field-kind.ts';

/** Fields that are written in another way: the name is chosen, the note belongs to the version. */
export const NOT_VALUES: ReadonlySet<string> = new Set(['id', 'changeNote']);

/** Says if the field accepts a client's value at all; otherwise the value is ignored (plone.restapi §4.1). */
export const isWritable = (field: Field): boolean =>
  !field.readonly && field.mode !== 'display' && !NOT_VALUES.has(field.name);

/** Takes the problem of a value, with its place: the name of a field, or `rows.1.phone` inside of its value. */
export type ProblemReport = (place: string, message: string) => void;

/** Returns a report that adds to a list. */
export const into =
  (problems: FieldProblem[]): ProblemReport =>
  (field, message) => {
    problems.push({ field, message });
  };

/** Returns the result of `parse` for the value at a name; undefined after a FieldError, which is reported with each of its places. */
export function attempt<T>(name: string, parse: () => T, report: ProblemReport): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    if (!(error instanceof NestedFieldError)) report(name, error.message);
    else for (const { field = name, message } of error.under(name)) report(field, message);
    return undefined;
  }
}

/** Parses the value of each field by its name, and collects every problem. A value that is undefined is left out. */
export function parseFields<F extends { name: string }>(
  fields: Iterable<F>,
  parse: (field: F) => unknown,
): { values: Record<string, unknown>; problems: FieldProblem[] } {
  const values: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  const report = into(problems);
  for (const field of fields) {
    const value = attempt(field.name, () => parse(field), report);
    if (value !== undefined) values[field.name] = value;
  }
  return { values, problems };
}

/** The stored value of a field for which no value was sent. */
export const defaultOf = (kind: FieldKind, field: Omit<Field, 'name'>): unknown =>
  copyOf(field.default ?? kind.missing ?? null);

/**
 * Returns the stored form of the value that a client sent for a field: null empties the field, and `absent` is its value when no value was sent.
 * Throws FieldError, also for a required field without a value.
 */
export function parseSent(
  kind: FieldKind,
  field: Field,
  sent: unknown,
  context: WriteContext & { absent: () => unknown },
): unknown {
  const value =
    sent === undefined
      ? context.absent()
      : sent === null
        ? (kind.missing ?? null)
        : kind.deserialize(sent, field, context);
  if (field.required && isEmptyValue(value)) throw new FieldError('Required input is missing.');
  return value;
}
