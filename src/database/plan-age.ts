import type { Statement } from './database.ts';

/** Transactions after which a new site is planned for anew. */
const FIRST_TRANSACTIONS = 50;

/** Has a connection plan its statements anew when they run next, also those of triggers and foreign keys. */
export const FORGET_PLANS: Statement = { name: 'discard plans', text: 'discard plans' };

/**
 * When the plans of a connection are too old. A plan is kept until the statistics of a table change, and one that was made while a table had
 * a page or two reads all of it: on a new site each write would cost more than the one before. So a connection plans anew each time
 * the transactions of this process have doubled.
 */
export class PlanAge {
  #transactions = 0;
  /** The number of transactions at the last new plan of a connection. */
  readonly #planned = new WeakMap<object, number>();

  /** Counts a transaction that begins on the connection, and returns whether it has to plan anew. */
  isTooOld(connection: object): boolean {
    this.#transactions += 1;
    const planned = this.#planned.get(connection);
    if (planned !== undefined && this.#transactions < 2 * planned + FIRST_TRANSACTIONS) return false;
    this.#planned.set(connection, this.#transactions);
    return planned !== undefined;
  }
}
