import { type TSchema, type TUnknown, type TUnsafe, Type } from 'typebox';
import type { JsonObject } from '../../lib/json-object.ts';

/** Keywords that validation ignores and the description reads. */
export const DOCUMENTED = 'x-documented';
export const REQUIRED = 'x-documented-required';

/**
 * A member of a body that the service checks by itself, so that a wrong value gets its own message. Validation lets
 * everything through; the description says what `schema` says, and that the member is required where `required`.
 */
export const documented = (schema: TSchema, { required = false } = {}): TUnknown =>
  Type.Unknown({ [DOCUMENTED]: schema, ...(required ? { [REQUIRED]: true } : {}) });

/** A query that the service parses by itself from `searchParams`. The description says what `schema` says. */
export const documentedQuery = (schema: TSchema): TUnsafe<JsonObject> =>
  Type.Unsafe<JsonObject>({ [DOCUMENTED]: schema });
