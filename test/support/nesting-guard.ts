import { AsyncLocalStorage } from 'node:async_hooks';
import type { Row, Statement, Transaction, TransactionOptions } from '../../src/database/database.ts';
import { ForwardingDatabase } from './forwarding-database.ts';

/** Words of writing in a statement. */
const WRITES = /\b(?:insert\s+into|update\s+\w+(?:\s+\w+)?\s+set|delete\s+from|merge\s+into|truncate)\b/i;

/**
 * A database that rejects statements which write and say that they only read, because caches would not notice what they change. It
 * also rejects calls on itself from within one of its transactions. Such a call would
 * wait for ever on PGlite, and on PostgreSQL hold one connection while it waits for a second.
 * Only for tests, because tracking every promise costs too much in a server.
 */
export class NestingGuard extends ForwardingDatabase {
  readonly #running = new AsyncLocalStorage<{ open: boolean }>();

  override async query<R extends object = Row>(statement: Statement): Promise<R[]> {
    this.#assertOutside(statement.text);
    if (statement.reads && WRITES.test(statement.text))
      throw new Error(`It says that it only reads: ${statement.text}`);
    return super.query<R>(statement);
  }

  override async transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    this.#assertOutside('a transaction');
    return super.transaction((tx) => {
      const state = { open: true };
      return this.#running.run(state, async () => {
        try {
          return await work(tx);
        } finally {
          state.open = false;
        }
      });
    }, options);
  }

  override async script(sql: string): Promise<void> {
    this.#assertOutside(sql);
    await super.script(sql);
  }

  #assertOutside(what: string): void {
    if (this.#running.getStore()?.open) {
      throw new Error(`Inside a transaction everything must go through it, not through the database: ${what}`);
    }
  }
}
