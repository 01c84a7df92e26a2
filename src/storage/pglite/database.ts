import type { PGlite, Transaction as PgliteTransaction, QueryOptions } from '@electric-sql/pglite';
import {
  assertChannelName,
  type Database,
  type DatabaseFigures,
  type ProblemLog,
  type Row,
  type Statement,
  type Transaction,
} from '../database.ts';
import { loadFigures } from '../database-figures.ts';
import { COLUMN_PARSERS, encodeParameter } from '../sql-values.ts';
import { AfterCommitQueue, retryTransaction, translateSqlError } from '../transactions.ts';

/** `onClose` runs after the database is closed, also when that failed: it gives the folder free. */
export type PgliteOptions = { log: ProblemLog; onClose?: () => Promise<void> };

/** Parameters arrive as text; these two types alone are refused as text by PGlite's own conversion. */
const BOOL = 16;
const BYTEA = 17;
const asText = (value: unknown): string => String(value);
const QUERY_OPTIONS: QueryOptions = {
  parsers: { ...COLUMN_PARSERS },
  serializers: { [BOOL]: asText, [BYTEA]: asText },
};

/** Statements that only read: those that begin so and have no word of writing anywhere. */
const READS = /^\s*(?:select|with)\b(?!.*\b(?:insert|update|delete|merge|truncate)\b)/is;

async function runStatement<R extends object>(on: Pick<PGlite, 'query'>, statement: Statement): Promise<R[]> {
  try {
    const values = (statement.values ?? []).map(encodeParameter);
    return (await on.query<R>(statement.text, values, QUERY_OPTIONS)).rows;
  } catch (error) {
    throw translateSqlError(error);
  }
}

/**
 * PostgreSQL in this process. It has one connection: statements and transactions wait for the
 * transaction that is running.
 */
export class PgliteDatabase implements Database {
  readonly engine = 'pglite';
  readonly #pg: PGlite;
  readonly #log: ProblemLog;
  readonly #onClose: (() => Promise<void>) | undefined;
  readonly #upkeep: PgliteUpkeep;
  #writes = 0;

  /** Takes over a database that is open; `close` closes it. */
  constructor(pg: PGlite, options: PgliteOptions) {
    this.#pg = pg;
    this.#log = options.log;
    this.#onClose = options.onClose;
    this.#upkeep = new PgliteUpkeep(pg, options.log);
  }

  get writes(): number {
    return this.#writes;
  }

  query<R extends object = Row>(statement: Statement): Promise<R[]> {
    const run = () => runStatement<R>(this.#pg, statement);
    return READS.test(statement.text) ? run() : this.#writing(run);
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { result, afterCommit } = await retryTransaction(async () => {
      const queue = new AfterCommitQueue();
      const result = await this.#writing(() => this.#pg.transaction((tx) => work(wrap(tx, queue))));
      return { result, afterCommit: queue };
    });
    // The connection is free again: what runs now may use it.
    await afterCommit.run(this.#log);
    return result;
  }

  async script(sql: string): Promise<void> {
    await this.#writing(() => this.#pg.exec(sql));
  }

  async listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>> {
    assertChannelName(channel);
    return this.#pg.listen(channel, (payload) => {
      try {
        handler(payload);
      } catch (error) {
        this.#log(`A handler of notifications on ${channel} failed`, error);
      }
    });
  }

  async figures(): Promise<DatabaseFigures> {
    return loadFigures(this);
  }

  /** Counts work that may write, before it begins and when it is over: nobody sees its effect under the old number. */
  async #writing<T>(work: () => Promise<T>): Promise<T> {
    this.#writes += 1;
    try {
      return await work();
    } finally {
      this.#writes += 1;
    }
  }

  async close(): Promise<void> {
    try {
      await this.#upkeep.stop();
      await this.#pg.close();
    } finally {
      await this.#onClose?.();
    }
  }
}

/** PGlite itself refuses statements after the end and runs those of one transaction in order. */
function wrap(tx: PgliteTransaction, afterCommit: AfterCommitQueue): Transaction {
  return {
    query: (statement) => runStatement({ query: tx.query }, statement),
    afterCommit(work) {
      if (tx.closed) throw new Error('The transaction is over: await all of its work before it ends');
      afterCommit.add(work);
    },
  };
}

/** Milliseconds between two looks. */
const INTERVAL = 60_000;

/** PostgreSQL's own rule for autovacuum: a fixed number of changed rows, and a share of the table. */
const WORST_TABLE = `select quote_ident(schemaname) || '.' || quote_ident(relname) as name
  from pg_stat_user_tables
  where n_dead_tup > 50 + 0.2 * n_live_tup or n_mod_since_analyze > 50 + 0.1 * n_live_tup
  order by n_dead_tup + n_mod_since_analyze desc limit 1`;

/**
 * An embedded database has no autovacuum: without this, tables that change often grow without
 * end, and plans are made as if all were empty. One table a round, as nothing else runs meanwhile.
 */
export class PgliteUpkeep {
  readonly #pg: PGlite;
  readonly #log: ProblemLog;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();

  constructor(pg: PGlite, log: ProblemLog) {
    this.#pg = pg;
    this.#log = log;
    this.#timer = setInterval(() => {
      this.#running = this.run();
    }, INTERVAL);
    this.#timer.unref();
  }

  /** One round. Never fails: a problem is logged, and the next round tries again. */
  async run(): Promise<void> {
    try {
      const { rows } = await this.#pg.query<{ name: string }>(WORST_TABLE);
      for (const { name } of rows) await this.#pg.exec(`vacuum (analyze) ${name}`);
    } catch (error) {
      this.#log('Vacuuming the embedded database failed', error);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }
}
