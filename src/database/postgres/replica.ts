import pg from 'pg';
import { DatabaseUnavailable, type Row, type Statement, type WorkEnd } from '../database.ts';
import type { OutageLog } from '../outage-log.ts';
import type { ReplicaFigures, ReplicaReader, SeenSnapshot } from '../replicas.ts';
import { isStatementError } from '../sql-errors.ts';
import type { StatementWatch } from '../statement-watch.ts';
import { loadReplicaPlace, type ReplicaPlace } from '../statements/replicas.ts';
import { requestCancel, toldProcess } from './cancel-request.ts';
import { prepareSession, runStatement } from './connection.ts';
import { PreparedByConnection } from './statement-batch.ts';

/** Milliseconds in which a replica must report its place, or it counts as lost. */
const ASK_TIMEOUT_MS = 1_000;
/** Milliseconds that a request waits for this report. */
const MAX_WAIT_MS = 50;
/** Milliseconds after which requests no longer wait for a replica that is behind. */
const LAGS_MS = 1_000;
/** Milliseconds between two questions by requests. */
const ASK_AGAIN_MS = 5;

/** Bytes that the place of the primary may be beyond the last record, for the head of a new page of the log. Every record of a commit is longer. */
const PAGE_HEAD_BYTES = 24;

/** The position of a replica, from its own connections. It only grows as long as these last. */
type Place = Omit<ReplicaPlace, 'changed'>;

const nowhere = (): Place => ({ self: '', standby: false, position: 0, primary: null });

const reaches = (place: Place, { server, position }: SeenSnapshot): boolean =>
  place.standby && place.primary === server && place.position >= position - PAGE_HEAD_BYTES;

const UNAVAILABLE = 'The replica does not have what the request needs.';

/** One replica: its connections, and its position in the log of writes. */
export class Replica {
  readonly #address: string;
  readonly #settings: pg.PoolConfig;
  readonly #outages: OutageLog;
  readonly #watch: StatementWatch;
  #pool: pg.Pool;
  #place: Place = nowhere();
  /** The statements that each connection has prepared, and its place: a new connection may reach another server at the same address. */
  readonly #prepared = new PreparedByConnection();
  readonly #places = new WeakMap<pg.ClientBase, Place>();
  readonly #clients = new Set<pg.PoolClient>();
  #asking: Promise<void> | undefined;
  #asked = 0;
  #isLost = false;
  #behindSince: number | undefined;
  #needed: SeenSnapshot | undefined;
  #counts = { reads: 0, repeated: 0 };

  /** Makes no connection yet. `address` is for messages. */
  constructor(
    address: string,
    { settings, outages, watch }: { settings: pg.PoolConfig; outages: OutageLog; watch: StatementWatch },
  ) {
    this.#address = address;
    this.#settings = settings;
    this.#outages = outages;
    this.#watch = watch;
    this.#pool = this.#makePool();
  }

  /** Says if the replica is known to have reached the snapshot. */
  has(snapshot: SeenSnapshot): boolean {
    this.#needed = snapshot;
    if (this.#isLost) return false;
    const isThere = reaches(this.#place, snapshot);
    if (isThere) this.#behindSince = undefined;
    else this.#behindSince ??= Date.now();
    return isThere;
  }

  /** True if the replica is reachable and only shortly behind, so that waiting for its place makes sense. */
  get isNear(): boolean {
    return !this.#isLost && (this.#behindSince === undefined || Date.now() - this.#behindSince < LAGS_MS);
  }

  /** Waits shortly until the replica has reported its place. */
  async askSoon(): Promise<void> {
    if (this.#asking === undefined && Date.now() - this.#asked < ASK_AGAIN_MS) return;
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS);
    });
    await Promise.race([this.ask(), enough]);
    clearTimeout(timer);
  }

  /** Asks for the replica's place; never fails. Concurrent callers share one question. */
  async ask(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  reader(snapshot: SeenSnapshot): ReplicaReader {
    const failed = (): void => {
      this.#counts.repeated += 1;
    };
    return {
      query: (statement) => this.#query(statement, snapshot),
      failed,
      confirm: async () => {
        const { changed } = await this.#placeFor(snapshot);
        if (changed) failed();
        else this.#counts.reads += 1;
        return !changed;
      },
    };
  }

  get figures(): ReplicaFigures {
    const { position, standby, primary } = this.#place;
    const needed = this.#needed;
    const isForeign = !standby || (needed !== undefined && primary !== needed.server);
    const isBehind = needed !== undefined && !reaches(this.#place, needed);
    const state = this.#isLost ? 'lost' : isForeign ? 'foreign' : isBehind ? 'behind' : 'reading';
    const isKnown = needed !== undefined && (state === 'reading' || state === 'behind');
    const behindBytes = isKnown ? Math.max(0, needed.position - PAGE_HEAD_BYTES - position) : null;
    return { address: this.#address, state, behindBytes, ...this.#counts };
  }

  async close(): Promise<void> {
    await this.#asking;
    await this.#pool.end();
  }

  #makePool(): pg.Pool {
    const pool = new pg.Pool({ ...this.#settings, onConnect: (client) => this.#prepare(client) });
    pool.on('error', (error) => this.#lose(error, pool));
    pool.on('connect', (client) => {
      this.#clients.add(client);
      // When a connection is lost in use, its statement fails; the event must not end the process.
      client.on('error', () => {});
    });
    pool.on('remove', (client) => void this.#clients.delete(client));
    return pool;
  }

  /** A new connection may lead to another server, or to a restarted one that is behind its former place. */
  async #prepare(client: pg.ClientBase): Promise<void> {
    const { backend } = await prepareSession(client);
    if (backend !== toldProcess(client))
      throw new Error(
        `${this.#address} leads through a pooler of connections. It must be the address of the replica itself.`,
      );
    const { changed: _, ...place } = await loadReplicaPlace(
      { query: (statement) => runStatement(client, statement, this.#prepared.of(client)) },
      null,
    );
    const isSame = place.self === this.#place.self && place.position >= this.#place.position;
    if (isSame) Object.assign(this.#place, place);
    else this.#place = place;
    this.#places.set(client, this.#place);
  }

  async #ask(): Promise<void> {
    const pool = this.#pool;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new Error(`The replica did not say within ${ASK_TIMEOUT_MS} ms how far it is`);
      timer = setTimeout(() => reject(error), ASK_TIMEOUT_MS);
    });
    try {
      await Promise.race([this.#look(null), late]);
      this.#isLost = false;
      this.#outages.worked();
    } catch (error) {
      this.#lose(error, pool);
    } finally {
      clearTimeout(timer);
      this.#asked = Date.now();
    }
  }

  /** Asks for the replica's place, and if it has changes since a snapshot. */
  async #look(since: string | null): Promise<ReplicaPlace> {
    return this.#with(async (client) => {
      const found = await loadReplicaPlace(
        { query: (statement) => runStatement(client, statement, this.#prepared.of(client)) },
        since,
      );
      const { changed: _, ...heard } = found;
      const place = this.#places.get(client);
      if (place) Object.assign(place, heard);
      return found;
    });
  }

  /** The replica's place, with its changes since a snapshot. Throws DatabaseUnavailable when the replica no longer has all of the snapshot. */
  async #placeFor(snapshot: SeenSnapshot): Promise<ReplicaPlace> {
    const place = await this.#look(snapshot.snapshot);
    if (!reaches(place, snapshot)) throw new DatabaseUnavailable(UNAVAILABLE);
    return place;
  }

  async #query<R extends object = Row>(statement: Statement, snapshot: SeenSnapshot): Promise<R[]> {
    return this.#with((client) => {
      if (!reaches(this.#places.get(client) ?? nowhere(), snapshot)) throw new DatabaseUnavailable(UNAVAILABLE);
      const { end } = statement;
      const run = () => this.#watch.one(statement, () => runStatement<R>(client, statement, this.#prepared.of(client)));
      return end === undefined ? run() : this.#cancellable(client, end, run);
    });
  }

  /**
   * Runs a statement, and stops it when its result is no longer wanted. An order that comes too late may stop another statement, which is then
   * repeated elsewhere.
   */
  async #cancellable<T>(client: pg.ClientBase, end: WorkEnd, run: () => Promise<T>): Promise<T> {
    end.throwIfOver();
    let order: Promise<void> | undefined;
    const ended = end.onOver(() => {
      // The server may be down, and the statement with it.
      order = requestCancel(client, new pg.Client(this.#settings)).catch((error: unknown) =>
        this.#outages.noticed(error),
      );
    });
    try {
      return await run();
    } finally {
      ended();
      await order;
    }
  }

  async #with<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const pool = this.#pool;
    const client = await pool.connect();
    try {
      const result = await use(client);
      client.release();
      return result;
    } catch (error) {
      const isBroken = !isStatementError(error) && !(error instanceof DatabaseUnavailable);
      client.release(isBroken);
      throw error;
    }
  }

  /** Stops using the replica until it has reported its place again, on new connections. */
  #lose(error: unknown, pool: pg.Pool): void {
    if (pool !== this.#pool) return;
    this.#outages.noticed(error);
    this.#isLost = true;
    this.#place = nowhere();
    this.#pool = this.#makePool();
    // The end is not awaited, because a silent server would never respond.
    for (const client of this.#clients) void client.end().catch(() => {});
    this.#clients.clear();
    void pool.end().catch(() => {});
  }
}
