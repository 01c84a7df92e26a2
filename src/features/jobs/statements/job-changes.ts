import type { Queryable } from '../../../storage/database.ts';
import { JOBS_CHANNEL } from './job-rows.ts';

/** A worker has it, and is there as far as anybody knows. */
const HELD = `status = 'running' and lease_until > clock_timestamp()`;

/** Has a job end: at once when nobody has it, else its worker is told. Nothing happens to one that has ended. */
export async function abortJob(db: Queryable, id: string): Promise<void> {
  await db.query({
    name: 'job-abort',
    text: `with asked as (
        update job set abort_requested = true,
          status = case when ${HELD} then status else 'aborted' end,
          finished = case when not (${HELD}) then clock_timestamp() end,
          worker = case when ${HELD} then worker end,
          lease_until = case when ${HELD} then lease_until end
        where id = $1 and finished is null returning id
      )
      select pg_notify('${JOBS_CHANNEL}', id::text) from asked`,
    values: [id],
  });
}

/** Removes a job that nobody has. Answers whether it was removed. */
export async function deleteJob(db: Queryable, id: string): Promise<boolean> {
  const text = `delete from job where id = $1 and not (${HELD}) returning 1`;
  return (await db.query({ name: 'job-delete', text, values: [id] })).length > 0;
}

/** Jobs that one pruning takes away of each sort. */
const PRUNE_BATCH = 500;

/** Removes jobs that ended before a time, and those beyond the newest `keep` that have ended. */
export async function pruneJobs(db: Queryable, { keep, before }: { keep: number; before: Date }): Promise<void> {
  await db.query({
    name: 'job-prune',
    text: `delete from job where number in (
        (select number from job where finished < $1 limit ${PRUNE_BATCH})
        union all
        (select number from job where finished is not null order by finished desc, number desc offset $2::bigint limit ${PRUNE_BATCH}))`,
    values: [before, keep],
  });
}

/**
 * Counts jobs that wait; no more than `limit` are counted. `late`: how many could have been taken so many seconds ago, as no
 * other job keeps them waiting, or have lost their worker then.
 */
export async function countWaitingJobs(
  db: Queryable,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<{ waiting: number; late: number }> {
  const [row] = await db.query<{ waiting: number; late: number }>({
    name: 'job-count-waiting',
    text: `with unfinished as (
        select status, action, exclusive, coalesce(lease_until, created) < clock_timestamp() - $1::int * interval '1 second' as old
        from job where finished is null order by number limit $2
      )
      select count(*) filter (where status = 'created')::int as waiting,
        count(*) filter (where old and not (status = 'created' and exclusive and exists (
          select from unfinished other where other.action = u.action and other.exclusive and other.status = 'running')))::int as late
      from unfinished u`,
    values: [seconds, limit],
  });
  if (!row) throw new Error('The count of jobs has no row.');
  return row;
}
