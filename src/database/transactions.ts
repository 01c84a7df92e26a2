import { setTimeout as sleep } from 'node:timers/promises';
import { BadRequest, Conflict } from '../lib/errors.ts';
import type { ProblemLog } from './database.ts';

/**
 * Unique indexes whose values everybody looks for before taking one: one object of a group of translations in each language, one of a
 * name in a container, one at a path. They are broken by those who look at the same time.
 */
const SOUGHT_VALUES: ReadonlySet<string> = new Set(['content_translation', 'content_name_unique', 'content_path_key']);

/** The work that one attempt of a transaction registers for the time before and after its commit. */
export class CommitQueue {
  readonly #before: (() => Promise<void>)[] = [];
  readonly #last: (() => Promise<void>)[] = [];
  readonly #works: (() => void | Promise<void>)[] = [];

  addBefore(work: () => Promise<void>, { last } = { last: false }): void {
    (last ? this.#last : this.#before).push(work);
  }

  add(work: () => void | Promise<void>): void {
    this.#works.push(work);
  }

  /** Runs what is to be done before the commit, also what is added meanwhile. Throws what one of them throws. */
  async runBefore(): Promise<void> {
    const next = () => this.#before.shift() ?? this.#last.shift();
    for (let work = next(); work; work = next()) await work();
  }

  /** Runs all in the order they were added, one after the other. A failure is logged; the commit stands. */
  async run(log: ProblemLog): Promise<void> {
    for (const work of this.#works) {
      try {
        await work();
      } catch (error) {
        log('Work after a commit failed', error);
      }
    }
  }
}

function stringProperty(error: unknown, name: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The five characters of SQLSTATE when the database itself refused, of either engine; else undefined. */
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

/** Refusals of a value that validation lets pass, as only the database knows its limits. */
const VALUE_REFUSALS: Readonly<Record<string, string>> = {
  '22021': 'Text must not contain the character U+0000.',
  '22P05': 'Text must not contain the character U+0000.',
  '22003': 'A number is out of range.',
  '22008': 'A date is out of range.',
  '54000': 'A value is too long to be stored.',
  '54001': 'The value is nested too deeply.',
};

/** The error to throw for one of the driver: BadRequest where the database refused a value of the client, else the error itself. */
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

/** How often a transaction is tried before its caller gets a Conflict. */
export const MAX_ATTEMPTS = 5;

/** Mean wait before the second attempt in milliseconds; it doubles with every further one. */
const FIRST_WAIT = 10;

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

/** SQLSTATE of a statement that has waited too long for a lock. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** Says if the database gave up a transaction because another one was in its way (serialization failure, deadlock). */
export function isGivenUp(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK;
}

/** Says if another transaction was in the way and the next attempt will see its changes. */
export function isCollision(error: unknown): boolean {
  return isGivenUp(error) || SOUGHT_VALUES.has(brokenUniqueConstraint(error) ?? '');
}

/**
 * Runs `attempt` until it passes, at most MAX_ATTEMPTS times. Only a collision with
 * another transaction leads to another attempt: in all of them the database has rolled back for certain. Waits
 * between attempts are random, so that two that collided do not collide again.
 */
export async function retryTransaction<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isCollision(error)) throw error;
      if (tried === MAX_ATTEMPTS) {
        const conflict = new Conflict('Other requests changed the same content at the same time. Try again.');
        conflict.cause = error;
        throw conflict;
      }
      await sleep(FIRST_WAIT * 2 ** (tried - 1) * (0.5 + Math.random()));
    }
  }
}
