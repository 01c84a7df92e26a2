import { type Site, sitePieces } from '#core';
import { type FieldProblem, ValidationFailed } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';

/** Keys for address and type, which clients send back from responses. */
const SHOWN = ['@id', '@type'];

/** A body without the members that clients send back from responses: addresses, types, and `more`. */
export const withoutShown = (body: JsonObject, more: readonly string[] = []): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !SHOWN.includes(name) && !more.includes(name)));

/** Throws ValidationFailed with every place where data does not have the form of its kind in files of profiles. */
export function requireForm(kind: string, data: unknown, under = ''): void {
  const problems = sitePieces.formProblems(kind, data).map(({ field = '', message }): FieldProblem => {
    const place = [under, field].filter((part) => part !== '').join('.');
    return place === '' ? { message } : { field: place, message };
  });
  if (problems.length > 0) throw new ValidationFailed(problems);
}

/** Throws ValidationFailed with one problem. */
export function rejectField(field: string, message: string): never {
  throw new ValidationFailed([{ field, message }]);
}

/** The add-on with a piece of the configuration; undefined when the piece belongs to no add-on. */
export const addonWith = ({ addons }: Site, kind: string, id: string): string | undefined =>
  [...addons].find(([, { rows }]) => rows.some((row) => row.kind === kind && row.id === id))?.[0];
