import { setTimeout as sleep } from 'node:timers/promises';
import { Conflict } from '../lib/errors.ts';
import { sqlState } from './sql-error.ts';

/** How often a transaction is tried before its caller gets a Conflict. */
export const MAX_ATTEMPTS = 5;

/** Mean wait before the second attempt in milliseconds; it doubles with every further one. */
const FIRST_WAIT = 10;

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

/**
 * Runs `attempt` until it passes, at most MAX_ATTEMPTS times. Only a serialization failure and a
 * deadlock lead to another attempt: in both the database has rolled back for certain. Waits
 * between attempts are random, so that two that collided do not collide again.
 */
export async function retryTransaction<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      const state = sqlState(error);
      if (state !== SERIALIZATION_FAILURE && state !== DEADLOCK) throw error;
      if (tried === MAX_ATTEMPTS) {
        const conflict = new Conflict('Other requests changed the same content at the same time. Try again.');
        conflict.cause = error;
        throw conflict;
      }
      await sleep(FIRST_WAIT * 2 ** (tried - 1) * (0.5 + Math.random()));
    }
  }
}
