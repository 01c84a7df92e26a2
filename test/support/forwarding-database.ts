import type {
  Database,
  DatabaseFigures,
  DatabaseLoad,
  Row,
  Statement,
  Transaction,
  TransactionOptions,
} from '../../src/database/database.ts';

/** A database that forwards every call to another one; subclasses observe some of the calls. */
export class ForwardingDatabase implements Database {
  protected readonly inner: Database;

  constructor(inner: Database) {
    this.inner = inner;
  }

  get engine(): Database['engine'] {
    return this.inner.engine;
  }

  get writes(): Database['writes'] {
    return this.inner.writes;
  }

  query<R extends object = Row>(statement: Statement): Promise<R[]> {
    return this.inner.query<R>(statement);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.inner.transaction(work, options);
  }

  script(sql: string): Promise<void> {
    return this.inner.script(sql);
  }

  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>> {
    return this.inner.listen(channel, handler);
  }

  figures(): Promise<DatabaseFigures> {
    return this.inner.figures();
  }

  load(): DatabaseLoad {
    return this.inner.load();
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
