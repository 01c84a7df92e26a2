import type { ProblemLog, Statement } from '../database.ts';
import type { PgliteConnection } from './connection.ts';
import type { Turns } from './turns.ts';

/** Milliseconds between two checks if the database is idle. */
const LOOK_MS = 1000;

/** Milliseconds after which a round is due, and after which it begins although others wait. */
const DUE_MS = 60_000;
const LATE_MS = 120_000;

/** The part of the connection that upkeep uses. */
type UpkeepConnection = Pick<PgliteConnection, 'script'> & {
  query(statement: Statement): Promise<DueTable[]>;
};

/** A table that needs to be vacuumed, statistics, or both. */
type DueTable = { name: string; vacuum: boolean; analyze: boolean };

/** Pages of 8 kB from which a table that has changed in another way than by its rows is looked at. */
const MIN_PAGES = 128;

/**
 * PostgreSQL's own rule for autovacuum: a fixed number of changed rows, and a share of the table. The engine counts rows from its start on, so that
 * the size of the table comes from its last statistics: by the count alone, 51 changes after a start were much of any table.
 *
 * A table that was filled before the start is known by its pages: it has at least twice those that it had when its statistics were made. One that a
 * migration has made anew has an empty visibility map, without which the database reads rows to count what an index has.
 */
const WORST_TABLE = `select quote_ident(schemaname) || '.' || quote_ident(s.relname) as name,
    has_dead or not is_mapped as vacuum, is_changed or has_grown as analyze
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    cross join lateral (select greatest(c.reltuples, n_live_tup) as tuples, pg_relation_size(c.oid) / 8192 as pages) size
    cross join lateral (select n_dead_tup > 50 + 0.2 * tuples as has_dead, n_mod_since_analyze > 50 + 0.1 * tuples as is_changed,
      pages >= greatest(${MIN_PAGES}, 2 * c.relpages) as has_grown, pages < ${MIN_PAGES} or c.relallvisible >= pages / 2 as is_mapped) rule
  where has_dead or is_changed or has_grown or not is_mapped
  order by has_dead or is_changed, n_dead_tup + n_mod_since_analyze desc, c.relpages limit 1`;

/**
 * Replaces autovacuum, which an embedded database lacks: otherwise tables that change often grow without end, and plans assume empty tables. No other
 * statement runs during a round, so each round treats one table, when the database is idle; if it is never idle, one table in two minutes.
 */
export class PgliteUpkeep {
  readonly #connection: UpkeepConnection;
  readonly #turns: Turns;
  readonly #log: ProblemLog;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;
  /** The table of the last round. */
  #table: string | undefined;
  /** The end of the last round after which no other round was due. */
  #doneAt = performance.now();

  constructor(connection: UpkeepConnection, turns: Turns, log: ProblemLog) {
    this.#connection = connection;
    this.#turns = turns;
    this.#log = log;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** One round. Never fails: a problem is logged, and the next round tries again. Returns its table, if any. */
  async run(): Promise<string | undefined> {
    try {
      const find = () => this.#connection.query({ text: WORST_TABLE });
      const [worst] = await this.#turns.run(find);
      if (worst === undefined) return undefined;
      // Two turns, so that other work can run between them.
      if (worst.vacuum) await this.#turns.run(() => this.#connection.script(`vacuum ${worst.name}`));
      if (worst.analyze) await this.#turns.run(() => this.#connection.script(`analyze ${worst.name}`));
      return worst.name;
    } catch (error) {
      this.#log('Vacuuming the embedded database failed', error);
      return undefined;
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #look(): void {
    const waited = performance.now() - this.#doneAt;
    const hasTime = waited > DUE_MS && this.#turns.isIdle;
    if (this.#running === undefined && (hasTime || waited > LATE_MS)) this.#running = this.#round(hasTime);
  }

  /** A round; if the database was idle, the next round is due at once, unless it would be for the same table. */
  async #round(hasTime: boolean): Promise<void> {
    const table = await this.run();
    if (!hasTime || table === undefined || table === this.#table) this.#doneAt = performance.now();
    this.#table = table;
    this.#running = undefined;
  }
}
