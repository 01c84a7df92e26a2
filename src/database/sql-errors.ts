import { BadRequest } from '../lib/errors.ts';

/**
 * Unique indexes whose values are looked up before a write: one object for each language of a group of translations, for each name in a container,
 * and for each path. Only concurrent writes violate them.
 */
const SOUGHT_VALUES: ReadonlySet<string> = new Set(['content_translation', 'content_name_unique', 'content_path_key']);

function stringProperty(error: unknown, name: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The five characters of SQLSTATE for an error of the database itself, of either engine; else undefined. */
export function sqlState(error: unknown): string | undefined {
  // System errors have a `code` as well (EPIPE is one of five letters), but no severity.
  if (stringProperty(error, 'severity') === undefined) return undefined;
  const code = stringProperty(error, 'code');
  return code !== undefined && SQLSTATE.test(code) ? code : undefined;
}

/** True when the database refused the statement and the connection goes on; a FATAL error ends it. */
export function isStatementError(error: unknown): boolean {
  return sqlState(error) !== undefined && stringProperty(error, 'severity') === 'ERROR';
}

/** The name of the unique constraint or index that a statement broke; undefined for any other error. */
export function brokenUniqueConstraint(error: unknown): string | undefined {
  return sqlState(error) === '23505' ? stringProperty(error, 'constraint') : undefined;
}

/** Messages for values that pass validation and that the database rejects, because only the database has these limits. */
const VALUE_REFUSALS: Readonly<Record<string, string>> = {
  '22021': 'Text must not contain the character U+0000.',
  '22P05': 'Text must not contain the character U+0000.',
  '22003': 'A number is out of range.',
  '22008': 'A date is out of range.',
  '54000': 'A value is too long to be stored.',
  '54001': 'The value is nested too deeply.',
};

/** The error to throw for an error of the driver: BadRequest if the database rejected a value of the client, else the error itself. */
export function translateSqlError(error: unknown): unknown {
  const state = sqlState(error);
  if (state === undefined || !(error instanceof Error)) return error;
  // JSON.stringify writes well-formed JSON. jsonb rejects only half a surrogate pair in it.
  const halfSurrogate = state === '22P02' && error.message.startsWith('invalid input syntax for type json');
  const message = halfSurrogate ? 'Text must not contain half a surrogate pair.' : VALUE_REFUSALS[state];
  if (message === undefined) return error;
  const refusal = new BadRequest(message);
  refusal.cause = error;
  return refusal;
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

/** SQLSTATE of a statement that has waited too long for a lock. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** Says if the database aborted a transaction because of a concurrent one (serialization failure, deadlock). */
export function isGivenUp(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK;
}

/** Says if a concurrent transaction caused the error, and the next attempt will see its changes. */
export function isCollision(error: unknown): boolean {
  return isGivenUp(error) || SOUGHT_VALUES.has(brokenUniqueConstraint(error) ?? '');
}
