import type { Database, DatabaseFigures, Row, Statement, Transaction } from '../../src/storage/database.ts';

/** A database that counts the statements that go through it. */
export class CountingDatabase implements Database {
  readonly #inner: Database;
  count = 0;

  constructor(inner: Database) {
    this.#inner = inner;
  }

  get engine(): Database['engine'] {
    return this.#inner.engine;
  }

  reset(): void {
    this.count = 0;
  }

  query<R extends object = Row>(statement: Statement): Promise<R[]> {
    this.count += 1;
    return this.#inner.query<R>(statement);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#inner.transaction((tx) =>
      work({
        query: <R extends object = Row>(statement: Statement) => {
          this.count += 1;
          return tx.query<R>(statement);
        },
        afterCommit: (after) => tx.afterCommit(after),
      }),
    );
  }

  script(sql: string): Promise<void> {
    return this.#inner.script(sql);
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
}
