import type { JsonObject } from '../../../lib/json-object.ts';
import type { Queryable } from '../../../storage/database.ts';

/** The channel on which processes tell each other of jobs: with nothing when one waits, with its id when one is to end. */
export const JOBS_CHANNEL = 'canopy_jobs';

export type JobStatus = 'created' | 'running' | 'completed' | 'failed' | 'aborted';

/** What a job is to do, and for whom. */
export type JobRequest = {
  action: string;
  params: JsonObject;
  title: string;
  description: string;
  /** The scheduled job that it is started by. */
  scheduledJob: string | null;
  /** Who asks for it; null for the clock. */
  actor: string | null;
  /** Whether it has the rights of a Manager, else those that the actor has when it runs. */
  asSystem: boolean;
};

export type Job = JobRequest & {
  id: string;
  status: JobStatus;
  created: Date;
  started: Date | null;
  finished: Date | null;
  /** How much is done of how much; null when nothing was told. */
  done: number | null;
  total: number | null;
  result: JsonObject | null;
  error: string | null;
};

const COLUMNS = `id, action, params, title, description, scheduled_job as "scheduledJob", actor, as_system as "asSystem",
  status, created, started, finished, done, total, result, error`;

/** Puts a job into the queue, unless so many wait already. It can be taken after the commit. Answers whether it was put. */
export async function insertJob(
  db: Queryable,
  job: JobRequest & { id: string; exclusive: boolean },
  mostWaiting: number,
): Promise<boolean> {
  const rows = await db.query({
    name: 'job-insert',
    text: `with waiting as (
        select count(*) as n from (select from job where finished is null and status = 'created' limit $10) w
      ), queued as (
        insert into job (id, action, params, title, description, scheduled_job, actor, as_system, exclusive)
        select $1::uuid, $2, $3::jsonb, $4, $5, $6, $7, $8::boolean, $9::boolean from waiting where n < $10 returning 1
      )
      select pg_notify('${JOBS_CHANNEL}', '') from queued`,
    values: [
      job.id,
      job.action,
      JSON.stringify(job.params),
      job.title,
      job.description,
      job.scheduledJob,
      job.actor,
      job.asSystem,
      job.exclusive,
      mostWaiting,
    ],
  });
  return rows.length > 0;
}

/** Whose jobs are meant: those of one actor, or all. */
type OfActor = { actor: string | undefined };

/** One job, if it is of the actor; `hold` keeps others from changing it until the transaction ends. */
export async function findJob(
  db: Queryable,
  id: string,
  { actor, lockMode }: OfActor & { lockMode: boolean },
): Promise<Job | undefined> {
  const rows = await db.query<Job>({
    name: lockMode ? 'job-hold' : 'job-find',
    text: `select ${COLUMNS} from job where id = $1 and ($2::text is null or actor = $2)${lockMode ? ' for update' : ''}`,
    values: [id, actor],
  });
  return rows[0];
}

/** Jobs of the actor, the newest first. */
export const listJobs = (
  db: Queryable,
  { actor, limit, offset }: OfActor & { limit: number; offset: number },
): Promise<Job[]> =>
  db.query<Job>({
    name: 'job-list',
    text: `select ${COLUMNS} from job where $1::text is null or actor = $1
      order by number desc limit $2::bigint offset $3::bigint`,
    values: [actor, limit, offset],
  });

/** Whether a job that was started by a scheduled job still waits to be taken. */
export async function isJobWaiting(db: Queryable, scheduledJob: string): Promise<boolean> {
  const rows = await db.query({
    name: 'job-is-waiting',
    text: `select from job where finished is null and status = 'created' and scheduled_job = $1 limit 1`,
    values: [scheduledJob],
  });
  return rows.length > 0;
}

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
