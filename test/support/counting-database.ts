import type { Row, Statement, Transaction, TransactionOptions } from '../../src/database/database.ts';
import { ForwardingDatabase } from './forwarding-database.ts';

/** The statements that look for changes: after a write, one of them serves all requests. */
export const LOOKS = ['site-poll', 'site-changes'];

/** A database that records its statements, in and outside of transactions, by name or else by text. */
export class CountingDatabase extends ForwardingDatabase {
  #seen: string[] = [];

  /** The statements that `work` caused. Only one piece of work at a time, because statements do not say who caused them. */
  async during(work: () => Promise<unknown>): Promise<string[]> {
    this.#seen = [];
    await work();
    return [...this.#seen];
  }

  override query<R extends object = Row>(statement: Statement): Promise<R[]> {
    this.#note(statement);
    return super.query<R>(statement);
  }

  override transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return super.transaction(
      (tx) =>
        work({
          origin: tx.origin,
          query: <R extends object = Row>(statement: Statement) => {
            this.#note(statement);
            return tx.query<R>(statement);
          },
          beforeCommit: (before, order) => tx.beforeCommit(before, order),
          afterCommit: (after) => tx.afterCommit(after),
        }),
      options,
    );
  }

  #note({ name, text }: Statement): void {
    this.#seen.push(name ?? text.replace(/\s+/g, ' ').slice(0, 60));
  }
}
