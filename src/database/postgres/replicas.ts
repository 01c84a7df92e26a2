import { randomUUID } from 'node:crypto';
import type { Database, ProblemLog } from '../database.ts';
import { OutageLog } from '../outage-log.ts';
import type { ReplicaFigures, ReplicaReader, Replicas, SeenSnapshot } from '../replicas.ts';
import { markPrimary } from '../statements/replicas.ts';
import { connectionSettings, describeAddress } from './connection.ts';
import { Replica } from './replica.ts';
import { PROCESS_NAME } from './write-lease.ts';

/** Milliseconds between two questions for the place of each replica, when no request asks. */
const ASK_EVERY_MS = 1_000;
/** Milliseconds to wait for a connection to a replica; short, because the primary can do the work as well. */
const CONNECT_TIMEOUT_MS = 2_000;
/** Milliseconds after which the note of the primary is checked again, when no replica can be used. */
const MARK_AGAIN_MS = 10_000;
/** Maximum number of connections to each replica. */
const POOL_SIZE = 10;

/**
 * The replicas of a database, in turn. A request is answered by a replica that has replayed everything that the request could see on the primary,
 * else by the primary (docs/decisions/0015-read-replicas.md).
 */
export class PostgresReplicas implements Replicas {
  readonly #replicas: readonly Replica[];
  readonly #db: Database;
  readonly #log: ProblemLog;
  readonly #timer: NodeJS.Timeout;
  #next = 0;
  /** The primary whose note was written for the replicas, and the write of the note that is under way. */
  #marked: string | undefined;
  #markedAt = 0;
  #marking: Promise<void> | undefined;

  /** Makes the replicas of the primary `db`, without a connection yet. Throws DatabaseUnavailable for a text that is no address. */
  constructor(urls: readonly string[], { db, log }: { db: Database; log: ProblemLog }) {
    this.#db = db;
    this.#log = log;
    const name = `${PROCESS_NAME}reads-${randomUUID()}`;
    this.#replicas = urls.map((url) => {
      const address = describeAddress(url, 'DATABASE_REPLICA_URLS');
      const settings = {
        ...connectionSettings(url, name),
        max: POOL_SIZE,
        idleTimeoutMillis: 30_000,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      };
      return new Replica(address, {
        settings,
        outages: new OutageLog(`The replica ${address}`, log),
        watch: db.load().statements,
      });
    });
    this.#timer = setInterval(() => void this.#askAll(), ASK_EVERY_MS).unref();
  }

  async find(snapshot: SeenSnapshot): Promise<ReplicaReader | undefined> {
    if (snapshot.server !== this.#marked) {
      this.#mark(snapshot.server);
      return undefined;
    }
    const known = this.#pick(snapshot);
    if (known) return known.reader(snapshot);
    await Promise.all(this.#replicas.filter(({ isNear }) => isNear).map((replica) => replica.askSoon()));
    const found = this.#pick(snapshot)?.reader(snapshot);
    // An import of a site may have replaced the note.
    if (!found && Date.now() - this.#markedAt > MARK_AGAIN_MS) this.#mark(snapshot.server);
    return found;
  }

  figures(): ReplicaFigures[] {
    return this.#replicas.map(({ figures }) => figures);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#marking;
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }

  async #askAll(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.ask()));
  }

  /** The next replica that has reached the snapshot. */
  #pick(snapshot: SeenSnapshot): Replica | undefined {
    const able = this.#replicas.filter((replica) => replica.has(snapshot));
    this.#next += 1;
    return able[this.#next % Math.max(1, able.length)];
  }

  /** Writes the note of the primary for the replicas. Until then, the primary answers all requests. */
  #mark(server: string): void {
    this.#marking ??= markPrimary(this.#db, server)
      .then(() => {
        this.#marked = server;
        this.#markedAt = Date.now();
      })
      // The next request tries again.
      .catch((error: unknown) => this.#log('The primary could not be noted for its replicas', error))
      .finally(() => {
        this.#marking = undefined;
      });
  }
}
