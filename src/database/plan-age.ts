import type { Statement } from './database.ts';

/** Number of transactions after which statements of a new site are planned anew. */
const FIRST_TRANSACTIONS = 50;

/** Makes a connection plan its statements anew when they run next, also statements of triggers and foreign keys. */
export const FORGET_PLANS: Statement = { name: 'discard plans', text: 'discard plans' };

/**
 * Decides when the plans of a connection are too old. The database keeps a plan until the statistics of a table change, and a plan for a table of one
 * or two pages reads the whole table: on a new site each write would cost more than the previous one. So a connection plans anew each time the
 * transactions of this process have doubled.
 */
export class PlanAge {
  #transactions = 0;
  /** The number of transactions at the last new plan of a connection. */
  readonly #planned = new WeakMap<object, number>();

  /** Counts a transaction that begins on the connection, and returns true if the connection must plan anew. */
  isTooOld(connection: object): boolean {
    this.#transactions += 1;
    const planned = this.#planned.get(connection);
    if (planned !== undefined && this.#transactions < 2 * planned + FIRST_TRANSACTIONS) return false;
    this.#planned.set(connection, this.#transactions);
    return planned !== undefined;
  }
}
