import { randomBytes } from 'node:crypto';
import type { ContentObject, Lock } from '../types/content-row.ts';
import { stateMark } from './base-state.ts';

/**
 * The parts of a token: what opens the lock (a UUID, or a word that opens none), the mark of a state, and in further forms with the same lock the
 * name of the form.
 */
const TOKEN = /^(opened|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:(-[\da-z]{9})(?:-[\da-f]{8})?)?$/;
/** Bytes of the name of a form. */
const NAME_BYTES = 4;

type State = Pick<ContentObject, 'modified'>;

/** A token that opens no lock, but names the state in which somebody has opened content to edit it. */
export const openedToken = ({ modified }: State): string => `opened${stateMark(modified)}`;

/** The mark of the state that a token names; undefined without one, and for other texts. */
export const stateOfToken = (token: string): string | undefined => TOKEN.exec(token)?.[2];

const keyOf = (token: string): string | undefined => TOKEN.exec(token)?.[1];

/** A token of a lock that names no state: for what the server does in the name of its holder. */
export const keyOfLock = ({ token }: Lock): string => keyOf(token) ?? token;

/** Says if a token is that of the lock, in the form that has taken it or in another one of its holder. */
export function opensLock(lock: Lock, token: string | undefined): boolean {
  if (token === undefined) return false;
  return token === lock.token || (keyOf(lock.token) !== undefined && keyOf(token) === keyOf(lock.token));
}

/** A token of a lock that names the present state; the token itself while one form has the lock. */
export function presentToken(lock: Lock, { modified }: State): string {
  const key = keyOf(lock.token);
  return lock.forms && key !== undefined ? key + stateMark(modified) : lock.token;
}

/** The token of a further form of the holder of a lock, which begins from the present state. */
export function formToken(lock: Lock, { modified }: State): string {
  const key = keyOf(lock.token);
  return key === undefined ? lock.token : `${key}${stateMark(modified)}-${randomBytes(NAME_BYTES).toString('hex')}`;
}
