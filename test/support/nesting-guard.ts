import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, DatabaseFigures, Row, Statement, Transaction } from '../../src/storage/database.ts';

/**
 * A database that refuses calls on itself from within one of its transactions. Such a call would
 * wait for ever on PGlite, and on PostgreSQL hold one connection while it waits for a second.
 * For tests alone: following every promise costs too much in a server.
 */
export class NestingGuard implements Database {
  readonly #inner: Database;
  readonly #running = new AsyncLocalStorage<{ open: boolean }>();

  constructor(inner: Database) {
    this.#inner = inner;
  }

  get engine(): Database['engine'] {
    return this.#inner.engine;
  }

  async query<R extends object = Row>(statement: Statement): Promise<R[]> {
    this.#assertOutside(statement.text);
    return this.#inner.query<R>(statement);
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#assertOutside('a transaction');
    return this.#inner.transaction((tx) => {
      const state = { open: true };
      return this.#running.run(state, async () => {
        try {
          return await work(tx);
        } finally {
          state.open = false;
        }
      });
    });
  }

  async script(sql: string): Promise<void> {
    this.#assertOutside(sql);
    await this.#inner.script(sql);
  }

  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#inner.listen(channel, handler);
  }

  figures(): Promise<DatabaseFigures> {
    return this.#inner.figures();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #assertOutside(what: string): void {
    if (this.#running.getStore()?.open) {
      throw new Error(`Inside a transaction everything must go through it, not through the database: ${what}`);
    }
  }
}
