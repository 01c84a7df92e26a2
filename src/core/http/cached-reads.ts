import { TagCollector } from '../../database/cache-tags.ts';
import type { Database, Row, Statement } from '../../database/database.ts';
import { forward } from '../../database/forward.ts';
import type { RequestRows, RowCache } from '../cache/row-cache.ts';
import type { UnwatchedTables } from '../cache/unwatched-tables.ts';
import type { RequestLayer } from './request-layers.ts';
import { isReading } from './wire-request.ts';
import { isSearch } from './work.ts';

/** The means to cache the reads of requests: one for each process. */
type ReadParts = { db: Database; rows: RowCache; unwatched: UnwatchedTables };

/**
 * A database that collects in `made` what is read from it, and takes rows from memory where `rows` has them. Nothing is cached of what
 * statements read that name `unwatched` tables.
 */
const collecting = (
  db: Database,
  { made, rows, unwatched }: { made: TagCollector; rows: RequestRows | undefined; unwatched: UnwatchedTables },
): Database =>
  forward(db, {
    async query<R extends object = Row>(statement: Statement): Promise<R[]> {
      const reading: Statement = { reads: true, ...statement };
      const read = () => db.query<R & Row>(reading);
      const isWatched = unwatched.namedBy(statement).length === 0;
      if (!isWatched) made.unwatched.push(statement);
      if (rows && isWatched) {
        const found = await rows.query(statement, read);
        made.add(found.tags);
        return found.rows;
      }
      const found = await read();
      made.add(statement.tags?.(found));
      return found;
    },
    transaction(work, options) {
      made.add(undefined);
      return db.transaction(work, options);
    },
  });

/** Collects what the response to each request that reads is made of, and takes rows from memory. */
export const cachedReads =
  ({ db, rows, unwatched }: ReadParts): RequestLayer =>
  (perform) =>
  (work) => {
    if (!isReading(work.request) && !isSearch(work.address)) return perform(work);
    const made = new TagCollector();
    // Rows of a replica are not those of the version that the primary was polled for.
    const cached = work.source === db ? rows.forRequest() : undefined;
    return perform({ ...work, made, db: collecting(work.db, { made, rows: cached, unwatched }) });
  };
