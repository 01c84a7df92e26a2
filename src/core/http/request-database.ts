import type { Database, WorkEnd } from '../../database/database.ts';
import { forward } from '../../database/forward.ts';
import type { Trace } from '../../lib/process/trace.ts';
import type { Arrivals } from './arrivals.ts';
import type { RequestLayer } from './request-layers.ts';
import { isReading } from './wire-request.ts';
import { isSearch } from './work.ts';

/** Milliseconds that one request may use the process before it lets other requests go on. */
const SLICE_MS = 15;
/** Milliseconds that a write waits for locks of other writers. */
const LOCK_TIMEOUT_MS = 15_000;

/**
 * The database that one request works with. It lets other requests go on between statements: the embedded database answers in the same tick, so that
 * a request with many statements would stop all other requests. A write waits a limited time for other writes. Requests that only read have
 * an `end`: when they end early, the running statement is stopped, no further statement begins, and the reason is thrown. Statements and
 * transactions have the `trace` of the request, transactions the address of the client.
 */
export function requestDatabase(
  db: Database,
  {
    arrivals,
    clientAddress,
    end,
    trace,
  }: {
    arrivals: Arrivals;
    clientAddress?: string | undefined;
    end?: WorkEnd | undefined;
    trace?: Trace | undefined;
  },
): Database {
  let sliceEnds = performance.now() + SLICE_MS;
  const giveWay = async (): Promise<void> => {
    if (performance.now() >= sliceEnds) {
      await arrivals.letIn();
      sliceEnds = performance.now() + SLICE_MS;
    }
    end?.throwIfOver();
  };
  return forward(db, {
    async query(statement) {
      await giveWay();
      try {
        // The statement comes last: members that are added after it take five times as long, because statements have many shapes.
        const ofRequest = { trace, end, ...statement };
        return await db.query(ofRequest);
      } catch (error) {
        // A stopped statement fails with an error of the database instead.
        end?.throwIfOver();
        throw error;
      }
    },
    async transaction(work, options) {
      await giveWay();
      return db.transaction(work, { lockTimeout: LOCK_TIMEOUT_MS, clientAddress, trace, ...options });
    },
  });
}

/** Gives each request a database of its own. */
export const givingWay =
  (arrivals: Arrivals): RequestLayer =>
  (perform) =>
  (work) => {
    const { request, address, db } = work;
    const end = isReading(request) || isSearch(address) ? request.end() : undefined;
    const { clientAddress, trace } = request;
    return perform({ ...work, db: requestDatabase(db, { arrivals, clientAddress, end, trace }) });
  };
