import { Compile } from 'typebox/compile';
import { isJsonObject, type JsonObject } from '../../src/lib/json-object.ts';

export type Operation = { method: string; template: string; operation: JsonObject };

const METHODS = ['get', 'post', 'patch', 'put', 'delete'];

/** Returns a member of an object, or undefined without such a member. */
export const member = (value: unknown, ...names: string[]): unknown =>
  names.reduce((found, name) => (isJsonObject(found) ? found[name] : undefined), value);

/** All operations of a document, by address and method. */
export function operationsOf(document: unknown): Operation[] {
  const paths = member(document, 'paths');
  return Object.entries(isJsonObject(paths) ? paths : {}).flatMap(([template, item]) =>
    METHODS.flatMap((method) => {
      const operation = member(item, method);
      return isJsonObject(operation) ? [{ method: method.toUpperCase(), template, operation }] : [];
    }),
  );
}

/** A part of a document with its references resolved; within themselves they stand for anything. `open` are those that it is within. */
export function resolved(document: unknown, part: unknown, open: readonly string[] = []): unknown {
  if (Array.isArray(part)) return part.map((item) => resolved(document, item, open));
  if (!isJsonObject(part)) return part;
  const { $ref } = part;
  if (typeof $ref === 'string')
    return open.includes($ref)
      ? {}
      : resolved(document, member(document, ...$ref.replace('#/', '').split('/')), [...open, $ref]);
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolved(document, value, open)]));
}

/** The problems of a value under a schema of a document; empty when it fits. */
export function problemsOf(document: unknown, schema: unknown, value: unknown): string[] {
  const whole = resolved(document, schema);
  if (!isJsonObject(whole)) return ['there is no schema'];
  const validator = Compile(whole);
  return validator.Check(value)
    ? []
    : validator.Errors(value).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The schema of the JSON body of an operation's response with a status. */
export function responseSchema(
  document: unknown,
  address: [template: string, method: string],
  status: number,
): unknown {
  const response = resolved(document, member(document, 'paths', ...address, 'responses', String(status)));
  return member(response, 'content', 'application/json', 'schema');
}
