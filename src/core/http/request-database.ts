import type { Database, Row, Statement } from '../../database/database.ts';
import type { FootprintCollector } from '../../database/footprint.ts';
import { forward } from '../../database/forward.ts';
import type { RequestRows } from '../cache/kept-rows.ts';
import type { UnwatchedTables } from '../cache/unwatched-tables.ts';
import type { Arrivals } from './arrivals.ts';

/** Milliseconds that one request may keep the process from others before it lets them go on. */
const SLICE_MS = 15;
/** Milliseconds that a write waits for what other writers hold. */
const LOCK_TIMEOUT_MS = 15_000;

/** Rows with what they are made of. */
async function readWith<R extends Row>(statement: Statement, read: () => Promise<R[]>) {
  const rows = await read();
  return { rows, footprint: statement.footprint?.(rows) };
}

const withSignal = (statement: Statement, signal: AbortSignal): Statement => ({ ...statement, signal });

/**
 * The database that one request works with. It lets other requests go on between statements: the embedded database answers
 * in the same tick, so that a request with many statements would stop all others. A write waits a limited time for others.
 * With `signal`, for requests that only read, nothing is begun after its end, and what runs is stopped; its reason is thrown.
 * Transactions know the address of the client. `seen` collects what the rows are made of; `rows` has those that are kept. Of what
 * statements read that name `unwatched` tables nothing is kept.
 */
export function requestDatabase(
  db: Database,
  {
    arrivals,
    clientAddress,
    signal,
    seen,
    rows: kept,
    unwatched,
  }: {
    arrivals: Arrivals;
    clientAddress?: string | undefined;
    signal?: AbortSignal | undefined;
    seen?: FootprintCollector | undefined;
    rows?: RequestRows | undefined;
    unwatched?: UnwatchedTables | undefined;
  },
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
    async query<R extends object = Row>(statement: Statement): Promise<R[]> {
      await giveWay();
      if (signal === undefined) return db.query(statement);
      try {
        const read = () => db.query<R & Row>(withSignal(statement, signal));
        const isWatched = unwatched === undefined || unwatched.namedBy(statement).length === 0;
        if (!isWatched) seen?.unwatched.push(statement);
        const { rows, footprint } =
          kept && isWatched ? await kept.query(statement, read) : await readWith(statement, read);
        seen?.add(footprint);
        return rows;
      } catch (error) {
        // Stopped statements fail in the words of the database.
        signal.throwIfAborted();
        throw error;
      }
    },
    async transaction(work, options) {
      await giveWay();
      seen?.add(undefined);
      return db.transaction(work, { lockTimeout: LOCK_TIMEOUT_MS, clientAddress, ...options });
    },
  });
}
