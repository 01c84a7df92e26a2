import { claims, type Queryable, traceOf } from '#core';
import type { JsonObject } from '#lib/json-object';
import { storedTrace } from '#lib/process/trace';

export type JobStatus = 'created' | 'running' | 'completed' | 'failed' | 'aborted';

/** The work of a job, and the user in whose name it is done. */
export type JobRequest = {
  action: string;
  params: JsonObject;
  title: string;
  description: string;
  /** Id of the scheduled job that started the job. */
  scheduledJob: string | null;
  /** Id of the user who requested the job; null when a schedule started it. */
  actor: string | null;
  /** True if the job runs with the rights of a Manager; false if with the rights of the actor at that time. */
  asSystem: boolean;
};

export type Job = JobRequest & {
  id: string;
  status: JobStatus;
  created: Date;
  started: Date | null;
  finished: Date | null;
  /** Progress in units of the action; null when the action has not reported any. */
  done: number | null;
  total: number | null;
  result: JsonObject | null;
  error: string | null;
};

const COLUMNS = `id, action, params, title, description, scheduled_job as "scheduledJob", actor, as_system as "asSystem",
  status, created, started, finished, done, total, result, error`;

/** Inserts a job unless `maxWaiting` jobs wait already. Workers see it after the commit. Returns whether it was inserted. */
export async function insertJob(
  db: Queryable,
  job: JobRequest & { id: string; exclusive: boolean },
  maxWaiting: number,
): Promise<boolean> {
  const rows = await db.query({
    name: 'job-insert',
    text: `with waiting as (
        select count(*) as n from (select from job where finished is null and status = 'created' limit $10) w
      ), queued as (
        insert into job (id, action, params, title, description, scheduled_job, actor, as_system, exclusive, trace)
        select $1::uuid, $2, $3::jsonb, $4, $5, $6, $7, $8::boolean, $9::boolean, $11::jsonb from waiting where n < $10 returning 1
      )
      select ${claims.WAKE(claims.JOB)} from queued`,
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
      maxWaiting,
      storedTrace(traceOf(db)),
    ],
  });
  return rows.length > 0;
}

/** Restricts jobs to those of one actor; undefined for all. */
type OfActor = { actor: string | undefined };

/** One job, if it belongs to the actor; `lockMode` locks it until the transaction ends. */
export async function findJob(
  db: Queryable,
  id: string,
  { actor, lockMode }: OfActor & { lockMode: boolean },
): Promise<Job | undefined> {
  const rows = await db.query<Job>({
    name: lockMode ? 'job-lock' : 'job-find',
    text: `select ${COLUMNS} from job where id = $1 and ($2::text is null or actor = $2)${lockMode ? ' for update' : ''}`,
    values: [id, actor],
  });
  return rows[0];
}

/** Several jobs of any actors, by their ids. */
export async function findJobs(db: Queryable, ids: readonly string[]): Promise<Map<string, Job>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<Job>({
    name: 'job-find-several',
    text: `select ${COLUMNS} from job where id = any($1::uuid[])`,
    values: [ids],
  });
  return new Map(rows.map((job) => [job.id, job]));
}

/** A batch of the jobs of the actor, the newest first. */
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

/** Says if a job of a scheduled job still waits for a worker. */
export async function isJobWaiting(db: Queryable, scheduledJob: string): Promise<boolean> {
  const rows = await db.query({
    name: 'job-is-waiting',
    text: `select from job where finished is null and status = 'created' and scheduled_job = $1 limit 1`,
    values: [scheduledJob],
  });
  return rows.length > 0;
}

/** A condition: a worker has the job, and its lease has not expired. */
const LEASED = `status = 'running' and due > clock_timestamp()`;

/** Aborts a job: at once when no worker has it, else by a notification to its worker. Does nothing to a job that has ended. */
export async function abortJob(db: Queryable, id: string): Promise<void> {
  await db.query({
    name: 'job-abort',
    text: `with asked as (
        update job set abort_requested = true,
          status = case when ${LEASED} then status else 'aborted' end,
          finished = case when not (${LEASED}) then clock_timestamp() end,
          worker = case when ${LEASED} then worker end
        where id = $1 and finished is null returning id
      )
      select ${claims.SIGNAL(claims.JOB, 'id::text')} from asked`,
    values: [id],
  });
}

/** Removes a job that no worker has. Returns whether it was removed. */
export async function deleteJob(db: Queryable, id: string): Promise<boolean> {
  const text = `delete from job where id = $1 and not (${LEASED}) returning 1`;
  return (await db.query({ name: 'job-delete', text, values: [id] })).length > 0;
}

/** Maximum number of outdated jobs, and of surplus jobs, that one pruning removes. */
const PRUNE_BATCH = 500;

/** Removes jobs that ended before `before`, and all ended jobs but the newest `keep`. */
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
 * Counts the jobs that failed within so many seconds, by action, at most `limit` of them. A job does not count if a later job of the same action with
 * the same params was completed.
 */
export const countFailedJobs = (
  db: Queryable,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<{ action: string; jobs: number }[]> =>
  db.query<{ action: string; jobs: number }>({
    name: 'job-count-failed',
    text: `with closed as (
        select action, params, status, finished from job
        where finished > clock_timestamp() - make_interval(secs => $1::float8) and status in ('failed', 'completed')
        order by finished desc limit $2
      )
      select action, count(*)::int as jobs from closed f
      where status = 'failed' and not exists (
        select from closed c where c.status = 'completed' and c.action = f.action and c.params = f.params and c.finished > f.finished)
      group by action order by action`,
    values: [seconds, limit],
  });

/**
 * Counts the waiting jobs among the oldest `limit` unfinished ones. `late` counts jobs that wait for more than `seconds` although no exclusive job
 * blocks them, and jobs whose lease expired longer ago.
 */
export async function countWaitingJobs(
  db: Queryable,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<{ waiting: number; late: number }> {
  const [row] = await db.query<{ waiting: number; late: number }>({
    name: 'job-count-waiting',
    text: `with unfinished as (
        select status, action, exclusive, due < clock_timestamp() - $1::int * interval '1 second' as old
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

/** Ends the jobs of an action that wait or run, in a database that no worker uses. */
export async function stopJobs(db: Queryable, action: string): Promise<void> {
  await db.query({
    text: `update job set status = 'aborted', finished = clock_timestamp(), worker = null where action = $1 and finished is null`,
    values: [action],
  });
}
