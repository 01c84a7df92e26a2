import { type FieldProblem, ValidationFailed } from '../lib/errors.ts';
import type { ContentType, Field } from '../types/content-type.ts';
import { FieldError, PreparedFile } from '../types/field-kind.ts';
import type { FieldKinds } from '../types/field-kinds.ts';
import { checkInvariants } from './invariants.ts';
import type { ReferenceResolver } from './reference-resolver.ts';

/** Fields that have their own way: the name is chosen, the note belongs to the version. */
const NOT_VALUES = new Set(['id', 'changeNote']);

/** Whether a client's value for the field is taken at all; otherwise it is ignored (plone.restapi §4.1). */
export const isWritable = (field: Field): boolean =>
  !field.readonly && field.mode !== 'display' && !NOT_VALUES.has(field.name);

/** Links in all fields of a request, to be resolved at once. */
export function* linksIn(kinds: FieldKinds, type: ContentType, input: Record<string, unknown>): Iterable<string> {
  for (const field of type.fields) {
    const value = input[field.name];
    if (value === undefined || value === null || value instanceof PreparedFile || !isWritable(field)) continue;
    yield* kinds.of(field).links?.(value) ?? [];
  }
}

export type ReadOptions = {
  type: ContentType;
  /** What the client sent, files prepared. */
  input: Record<string, unknown>;
  /** Stored values now; undefined at creation, when defaults are filled in and required fields must be there. */
  current: Record<string, unknown> | undefined;
  resolver: ReferenceResolver;
  /** Whether the caller has the permission that a field asks for. */
  mayWrite: (permission: string) => boolean;
};

/**
 * The stored values of the fields that a request names (and of all fields, at creation). Unknown
 * fields and those the caller may not write are ignored. Throws ValidationFailed with every problem there is.
 */
export function readValues(
  kinds: FieldKinds,
  { type, input, current, resolver, mayWrite }: ReadOptions,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const field of type.fields) {
    const { name } = field;
    if (NOT_VALUES.has(name)) continue;
    const kind = kinds.of(field);
    const sent =
      isWritable(field) && (field.write_permission === undefined || mayWrite(field.write_permission))
        ? input[name]
        : undefined;
    try {
      if (sent === null && field.required) {
        throw new FieldError(`${name} is a required field. Setting it to null is not allowed.`);
      }
      if (sent === null) values[name] = kind.missing ?? null;
      else if (sent !== undefined)
        values[name] = kind.deserialize(sent, field, { ...resolver, current: current?.[name] });
      else if (current === undefined && !field.writeOnly)
        values[name] = structuredClone(field.default ?? kind.missing ?? null);
      if (field.required && isEmpty(values[name]) && (current === undefined || sent !== undefined)) {
        throw new FieldError('Required input is missing.');
      }
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      problems.push({ field: name, message: error.message });
    }
  }
  if (problems.length === 0)
    problems.push(...checkInvariants(type, { ...current, ...values }, new Set(Object.keys(values))));
  if (problems.length > 0) throw new ValidationFailed(problems);
  return values;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
