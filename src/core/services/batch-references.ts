import { BadRequest } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';

/** The number of an earlier request, and members of the body of its response: `0.UID`, `1.items.0.@id`. */
const REFERENCE = /^(\d{1,3})((?:\.[^.]{1,200}){1,20})$/;

/** References within a text: `{0.@id}`. */
const IN_TEXT = /\{([^{}]{1,1000})\}/g;

/** The bodies of the responses until now. */
type Bodies = readonly unknown[];

const memberOf = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return /^\d{1,6}$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
};

/** The value that a reference leads to. Throws BadRequest for a malformed reference, and for a reference without a target. */
function referredValue(reference: string, bodies: Bodies): unknown {
  const [, number = '', members = ''] = REFERENCE.exec(reference) ?? [];
  if (number === '')
    throw new BadRequest(
      `The reference "${reference.slice(0, 100)}" must be the number of an earlier request and members of its response, such as "0.UID".`,
    );
  if (Number(number) >= bodies.length)
    throw new BadRequest(`The reference "${reference}" must lead to an earlier request: they are counted from 0.`);
  const value = members.slice(1).split('.').reduce(memberOf, bodies[Number(number)]);
  if (value === undefined) throw new BadRequest(`The reference "${reference}" leads to nothing in the response.`);
  return value;
}

/** A JSON value with the values of its references: objects with the one member `$ref`. */
function withValues(value: unknown, bodies: Bodies): unknown {
  if (Array.isArray(value)) return value.map((item) => withValues(item, bodies));
  if (!isJsonObject(value)) return value;
  const { $ref: reference } = value;
  if (typeof reference === 'string' && Object.keys(value).length === 1) return referredValue(reference, bodies);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withValues(member, bodies)]));
}

/** An object with the values of its references. */
export const objectWithValues = (value: JsonObject, bodies: Bodies): JsonObject => {
  const replaced = withValues(value, bodies);
  return isJsonObject(replaced) ? replaced : {};
};

/** A text with the values of its references, each a text or a number. `format` encodes each value for its place in the text. */
export const textWithValues = (text: string, bodies: Bodies, format = (value: string): string => value): string =>
  text.replace(IN_TEXT, (_whole, reference: string) => {
    const value = referredValue(reference, bodies);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new BadRequest(`The reference "${reference}" must lead to a text or a number here.`);
    return format(String(value));
  });
