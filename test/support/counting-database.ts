import type { Database, DatabaseFigures, Row, Statement, Transaction } from '../../src/storage/database.ts';

/** A database that remembers which statements it was given, in and outside of transactions, by name or else by text. */
export class CountingDatabase implements Database {
  readonly #inner: Database;
  #seen: string[] = [];

  constructor(inner: Database) {
    this.#inner = inner;
  }

  /** The statements that `work` caused. One at a time: nothing tells apart who caused them. */
  async during(work: () => Promise<unknown>): Promise<string[]> {
    this.#seen = [];
    await work();
    return this.#seen;
  }

  get engine(): Database['engine'] {
    return this.#inner.engine;
  }

  query<R extends object = Row>(statement: Statement): Promise<R[]> {
    this.#note(statement);
    return this.#inner.query<R>(statement);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#inner.transaction((tx) =>
      work({
        query: <R extends object = Row>(statement: Statement) => {
          this.#note(statement);
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

  #note({ name, text }: Statement): void {
    this.#seen.push(name ?? text.replace(/\s+/g, ' ').slice(0, 60));
  }
}
