import type { ProblemLog } from '../database.ts';
import type { PgliteConnection } from './connection.ts';
import type { Turns } from './turns.ts';

/** Milliseconds between two looks. */
const INTERVAL_MS = 60_000;

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
  readonly #connection: PgliteConnection;
  readonly #turns: Turns;
  readonly #log: ProblemLog;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();

  constructor(connection: PgliteConnection, turns: Turns, log: ProblemLog) {
    this.#connection = connection;
    this.#turns = turns;
    this.#log = log;
    this.#timer = setInterval(() => {
      this.#running = this.run();
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /** One round. Never fails: a problem is logged, and the next round tries again. */
  async run(): Promise<void> {
    try {
      await this.#turns.run(async () => {
        const tables = await this.#connection.query<{ name: string }>({ text: WORST_TABLE });
        for (const { name } of tables) await this.#connection.script(`vacuum (analyze) ${name}`);
      });
    } catch (error) {
      this.#log('Vacuuming the embedded database failed', error);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }
}
