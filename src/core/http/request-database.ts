import type { Database, Statement } from '../../database/database.ts';
import { forward } from '../../database/forward.ts';
import type { Arrivals } from './arrivals.ts';
import type { RequestLayer } from './request-layers.ts';
import { isReading } from './wire-request.ts';
import { isSearch } from './work.ts';

/** Milliseconds that one request may keep the process from others before it lets them go on. */
const SLICE_MS = 15;
/** Milliseconds that a write waits for what other writers hold. */
const LOCK_TIMEOUT_MS = 15_000;

const withSignal = (statement: Statement, signal: AbortSignal): Statement => ({ ...statement, signal });

/**
 * The database that one request works with. It lets other requests go on between statements: the embedded database answers
 * in the same tick, so that a request with many statements would stop all others. A write waits a limited time for others.
 * With `signal`, for requests that only read, nothing is begun after its end, and what runs is stopped; its reason is thrown.
 * Transactions know the address of the client.
 */
export function requestDatabase(
  db: Database,
  {
    arrivals,
    clientAddress,
    signal,
  }: { arrivals: Arrivals; clientAddress?: string | undefined; signal?: AbortSignal | undefined },
): Database {
  let sliceEnds = performance.now() + SLICE_MS;
  const giveWay = async (): Promise<void> => {
    if (performance.now() >= sliceEnds) {
      await arrivals.letIn();
      sliceEnds = performance.now() + SLICE_MS;
    }
    signal?.throwIfAborted();
  };
  return forward(db, {
    async query(statement) {
      await giveWay();
      if (signal === undefined) return db.query(statement);
      try {
        return await db.query(withSignal(statement, signal));
      } catch (error) {
        // Stopped statements fail in the words of the database.
        signal.throwIfAborted();
        throw error;
      }
    },
    async transaction(work, options) {
      await giveWay();
      return db.transaction(work, { lockTimeout: LOCK_TIMEOUT_MS, clientAddress, ...options });
    },
  });
}

/** Gives each request a database of its own. */
export const givingWay =
  (arrivals: Arrivals): RequestLayer =>
  (perform) =>
  (work) => {
    const { request, address, db } = work;
    const signal = isReading(request) || isSearch(address) ? request.end().signal : undefined;
    return perform({ ...work, db: requestDatabase(db, { arrivals, clientAddress: request.clientAddress, signal }) });
  };
