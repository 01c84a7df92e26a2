import { type Site, sitePieces } from '#core';
import { type FieldProblem, ValidationFailed } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';

/** Keys under which clients are shown an address and a type; they send them back. */
const SHOWN = ['@id', '@type'];

/** A body without what clients send back as they were shown it: addresses, types, and `more`. */
export const withoutShown = (body: JsonObject, more: readonly string[] = []): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !SHOWN.includes(name) && !more.includes(name)));

/** Throws ValidationFailed with every place where data has not the form of its kind, as the files of profiles have it. */
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

/** The add-on that brought a piece of the configuration; undefined for none. */
export const addonWith = ({ addons }: Site, kind: string, id: string): string | undefined =>
  [...addons].find(([, { rows }]) => rows.some((row) => row.kind === kind && row.id === id))?.[0];
