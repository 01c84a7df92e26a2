import { setTimeout as sleep } from 'node:timers/promises';
import { Conflict } from '../lib/errors.ts';
import {
  COMMIT_STAGES,
  type CommitStage,
  type Database,
  type ProblemLog,
  type Statement,
  type Transaction,
} from './database.ts';
import { isCollision } from './sql-errors.ts';

const BEGIN_SNAPSHOT = 'begin isolation level repeatable read';

/**
 * The statement that begins a transaction; `otherwise` begins a transaction that is no snapshot. The isolation must be set here, because a statement
 * in between, which discards plans, fixes it.
 */
export function beginStatement(snapshot: boolean | undefined, otherwise: string): Statement {
  const text = snapshot ? BEGIN_SNAPSHOT : otherwise;
  return { name: text, text };
}

/** The work that one attempt of a transaction registers for the time before and after its commit. */
export class CommitQueue {
  readonly #before: Record<CommitStage, (() => Promise<void>)[]> = { consequences: [], record: [], last: [] };
  readonly #works: (() => void | Promise<void>)[] = [];

  addBefore(work: () => Promise<void>, stage: CommitStage = 'consequences'): void {
    this.#before[stage].push(work);
  }

  add(work: () => void | Promise<void>): void {
    this.#works.push(work);
  }

  /** Runs the work registered for before the commit, also work that is added meanwhile. Throws the first error. */
  async runBefore(): Promise<void> {
    for (let work = this.#next(); work; work = this.#next()) await work();
  }

  /** Takes the next work of the first stage that has any. */
  #next(): (() => Promise<void>) | undefined {
    const stage = COMMIT_STAGES.find((each) => this.#before[each].length > 0);
    return stage && this.#before[stage].shift();
  }

  /** Runs all work in the order of its registration, one after the other. A failure is logged; the commit stands. */
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

/** Maximum number of attempts at a transaction before its caller gets a Conflict. */
export const MAX_ATTEMPTS = 5;

/** Mean wait before the second attempt in milliseconds; it doubles with every further one. */
const FIRST_WAIT = 10;

/** Runs work in the transaction of the caller, or without one in a transaction of its own. */
export const within = <T>(
  db: Pick<Database, 'transaction'>,
  tx: Transaction | undefined,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => (tx ? work(tx) : db.transaction(work));

/**
 * Runs `attempt` until it succeeds, at most MAX_ATTEMPTS times. Only a collision with another transaction leads to another attempt, because then the
 * database has certainly rolled back. Waits between attempts are random, so that two transactions do not collide again.
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
