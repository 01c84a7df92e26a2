import type { Queryable } from '#core';

/** The amount of content: the number of objects, and the bytes of their files, each file once. */
export type ContentFigures = { objects: number; blobBytes: number };

/** Counts the objects and adds up their files, each blob once. Reads all of `content`: not for every request. */
export async function contentFigures(db: Queryable): Promise<ContentFigures> {
  const [row] = await db.query<ContentFigures>({
    name: 'figures-content',
    text: `select (select count(*) from content) as objects, coalesce(sum(size), 0)::bigint as "blobBytes" from (
        select max((value->>'size')::bigint) as size from content c, jsonb_each(c.fields)
        where jsonb_typeof(value) = 'object' and value ? 'hash' and jsonb_typeof(value->'size') = 'number' group by value->>'hash'
      ) blob`,
  });
  if (row === undefined) throw new Error('The database did not tell its figures');
  return row;
}

/** Checks that the database responds. */
export async function pingDatabase(db: Queryable): Promise<void> {
  await db.query({ name: 'figures-ping', text: 'select 1 as one' });
}

/** Maximum number of rows that are counted for one kind of work, so that a scrape is fast. */
const MAX_COUNTED = 100_000;
/** Seconds for which failed work counts, for kinds of work that store failures. */
const FAILED_SECONDS = 24 * 3600;

/** The work of one kind in all processes. */
export type QueueFigures = {
  kind: string;
  /** Work that no process has begun, including work whose last attempt failed. */
  waiting: number;
  running: number;
  /** Work whose last attempt failed and that is tried again. Jobs and transitions are not tried again: their failures of the last day count. */
  failed: number;
  /** Seconds since the oldest piece of waiting work was due. */
  age: number;
};

/**
 * Counts the work of all kinds. A piece of the queue that is tried again counts as failed until it is done: its row does not say that a process has
 * it.
 */
export const queueFigures = (db: Queryable): Promise<QueueFigures[]> =>
  db.query<QueueFigures>({
    name: 'figures-queue',
    reads: true,
    text: `select kind, count(*) filter (where not running)::int as waiting, count(*) filter (where running)::int as running,
        count(*) filter (where error is not null)::int as failed,
        coalesce(max(extract(epoch from clock_timestamp() - created)) filter (where not running), 0)::float8 as age
      from (
        select kind, error, created, attempts > 0 and error is null and due > clock_timestamp() as running
        from queue_item limit ${MAX_COUNTED}
      ) item group by kind
      union all
      select 'job', (select count(*)::int from (select from job where finished is null and status = 'created' limit ${MAX_COUNTED}) w),
        (select count(*)::int from job where finished is null and status = 'running'),
        (select count(*)::int from (select from job
          where finished > clock_timestamp() - make_interval(secs => $1::float8) and status = 'failed' limit ${MAX_COUNTED}) f),
        coalesce((select extract(epoch from clock_timestamp() - min(created)) from job where finished is null and status = 'created'), 0)::float8
      union all
      select 'transition', count(*)::int, 0, 0, coalesce(extract(epoch from clock_timestamp() - min(due)), 0)::float8
      from scheduled_transition where status = 'waiting' and due <= clock_timestamp()`,
    values: [FAILED_SECONDS],
  });
