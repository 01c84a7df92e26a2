import { setTimeout as sleep } from 'node:timers/promises';
import { Conflict } from '../lib/errors.ts';
import { brokenUniqueConstraint, sqlState } from './sql-error.ts';
import { TRANSLATION_INDEX } from './statements/translation-groups.ts';

/** How often a transaction is tried before its caller gets a Conflict. */
export const MAX_ATTEMPTS = 5;

/** Mean wait before the second attempt in milliseconds; it doubles with every further one. */
const FIRST_WAIT = 10;

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

/**
 * Whether another transaction was in the way, and the next attempt will see what it has done. Of the unique indexes only that of
 * translations says so: everybody looks for a free place first, so it is broken by those who look at the same time.
 */
function isCollision(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK || brokenUniqueConstraint(error) === TRANSLATION_INDEX;
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
