import { TagCollector, tagsOf } from '../../database/cache-tags.ts';
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
 * A database that collects the tags of read rows in `made`, and takes rows from memory if `rows` has them. The rows of a statement that names an
 * `unwatched` table are not cached.
 */
const collecting = (
  db: Database,
  { made, rows, unwatched }: { made: TagCollector; rows: RequestRows | undefined; unwatched: UnwatchedTables },
): Database =>
  forward(db, {
    async query<R extends object = Row>(statement: Statement): Promise<R[]> {
      const read = (asked: Statement) => {
        const reading: Statement = { reads: true, ...asked };
        return db.query<R & Row>(reading);
      };
      const isWatched = unwatched.namedBy(statement).length === 0;
      if (!isWatched) made.unwatched.push(statement);
      if (rows && isWatched) {
        const found = await rows.query(statement, read);
        made.add(found.tags);
        return found.rows;
      }
      const found = await read(statement);
      made.add(tagsOf(statement, found));
      return found;
    },
    transaction(work, options) {
      made.add(undefined);
      return db.transaction(work, options);
    },
  });

/** Collects the tags of the response to each reading request, and takes rows from memory. */
export const cachedReads =
  ({ db, rows, unwatched }: ReadParts): RequestLayer =>
  (perform) =>
  (work) => {
    if (!isReading(work.request) && !isSearch(work.address)) return perform(work);
    const made = new TagCollector();
    // A replica may have other rows than the version that the primary was polled for.
    const cached = work.source === db ? rows.forRequest() : undefined;
    return perform({ ...work, made, db: collecting(work.db, { made, rows: cached, unwatched }) });
  };
