import { BadRequest } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { countValues } from '#lib/schema/bounded-json';

/** Maximum number of values in the JSON of one submission: one for each field, and one for each choice of a list. */
export const MAX_VALUES = 10_000;

/** Parses a part as JSON, whatever media type the client gave it. Throws BadRequest and PayloadTooLarge. */
function parsed(name: string, part: unknown): unknown {
  if (typeof part !== 'string') return part;
  countValues(part, MAX_VALUES);
  try {
    return JSON.parse(part);
  } catch (error) {
    if (error instanceof SyntaxError) throw new BadRequest(`The part "${name}" of the form is not JSON.`);
    throw error;
  }
}

/** Values as a list of pairs; anything else unchanged, for the schema to reject. */
function pairsIn(data: unknown): unknown[] | undefined {
  if (data === undefined) return [];
  if (Array.isArray(data)) return data;
  return isJsonObject(data) ? Object.entries(data).map(([field_id, value]) => ({ field_id, value })) : undefined;
}

/**
 * Converts a form (`multipart/form-data`) to a body: `block_id`, and `data` and `captcha` as JSON. All other parts are values and files of the fields
 * with their names.
 */
export function bodyOfForm({ block_id, data, captcha, ...values }: JsonObject): JsonObject {
  const sent = parsed('data', data);
  const pairs = pairsIn(sent);
  const more = Object.entries(values).map(([field_id, value]) => ({ field_id, value }));
  return {
    ...(block_id === undefined ? {} : { block_id }),
    data: pairs ? [...pairs, ...more] : sent,
    ...(captcha === undefined ? {} : { captcha: parsed('captcha', captcha) }),
  };
}
