import { claims, type Database, type Queryable, sqlErrors } from '#core';
import type { JsonObject } from '#lib/json-object';
import type { Job, JobStatus } from './jobs.ts';

/**
 * The lease of a job by a worker. The number of the attempt makes the leases of one worker different, should it lose a job
 * and take it again.
 */
export type JobLease = { id: string; worker: string; attempts: number };

/** A job with the lease of the worker that has taken it. */
export type LeasedJob = JobLease &
  Pick<Job, 'action' | 'params' | 'actor' | 'asSystem'> & {
    /** The stored trace of the request that has begun the job; null for none. */
    trace: unknown;
  };

/** The progress of a job, in units of its action. */
export type JobProgress = { done: number; total: number };

const LEASED = `id = $1 and worker = $2::uuid and attempts = $3 and status = 'running'`;

/**
 * The oldest job that waits or whose lease has expired. Of an exclusive action it is the oldest of all: while one worker leases it, another one would
 * take the next.
 */
const NEXT = claims.UNCLAIMED(`select j.number from job j
    where j.finished is null and not j.abort_requested and j.action = any($3::text[])
      and (j.status = 'created' or (j.due <= clock_timestamp() and j.attempts < $4)) and j.id <> all($5::uuid[])
      and not (j.exclusive and exists (
        select from job other where other.action = j.action and other.exclusive and other.finished is null
          and (other.number < j.number and not other.abort_requested or other.status = 'running' and other.number <> j.number)))
    order by j.number limit 1`);

const TAKE = `update job set status = 'running', worker = $1::uuid, attempts = attempts + 1, due = ${claims.IN_MS('$2')},
    started = coalesce(started, clock_timestamp()), done = null, total = null
  where number = (${NEXT})
  returning id, worker, attempts, action, params, actor, as_system as "asSystem", trace`;

/**
 * Leases the oldest job that waits or whose lease has expired, for `leaseMs` milliseconds; undefined without such a job. Only jobs of
 * `actions` are taken, but not those in `running`, which the worker runs already; each is taken at most `maxAttempts` times. Of an
 * exclusive action only one job is leased at a time.
 */
export async function leaseJob(
  db: Database,
  request: { worker: string; leaseMs: number; actions: string[]; maxAttempts: number; running: string[] },
): Promise<LeasedJob | undefined> {
  const { worker, leaseMs, actions, maxAttempts, running } = request;
  for (;;) {
    try {
      const rows = await db.query<LeasedJob>({
        name: 'job-lease',
        text: TAKE,
        values: [worker, leaseMs, actions, maxAttempts, running],
      });
      return rows[0];
    } catch (error) {
      // Another worker has leased a job of the exclusive action at the same time. Its job is visible by now.
      if (sqlErrors.brokenUniqueConstraint(error) !== 'job_running_alone') throw error;
    }
  }
}

/**
 * Renews a lease for another `leaseMs` milliseconds and stores the progress. Returns whether a user has asked to abort the
 * job; undefined when the worker has lost the lease.
 */
export async function renewLease(
  db: Queryable,
  { id, worker, attempts }: JobLease,
  { leaseMs, progress }: { leaseMs: number; progress: JobProgress | undefined },
): Promise<{ abortRequested: boolean } | undefined> {
  const rows = await db.query<{ abortRequested: boolean }>({
    name: 'job-renew-lease',
    text: `update job set due = ${claims.IN_MS('$4')}, done = coalesce($5::bigint, done), total = coalesce($6::bigint, total)
      where ${LEASED} returning abort_requested as "abortRequested"`,
    values: [id, worker, attempts, leaseMs, progress?.done, progress?.total],
  });
  return rows[0];
}

/** The checkpoint of a leased job; undefined when the worker has lost the lease. */
export async function loadCheckpoint(
  db: Queryable,
  { id, worker, attempts }: JobLease,
): Promise<JsonObject | undefined> {
  const rows = await db.query<{ checkpoint: JsonObject | null }>({
    name: 'job-load-checkpoint',
    text: `select checkpoint from job where ${LEASED}`,
    values: [id, worker, attempts],
  });
  return rows[0] && (rows[0].checkpoint ?? {});
}

/** Stores the checkpoint and the progress of a leased job. Returns whether the worker still had the lease. */
export async function writeCheckpoint(
  tx: Queryable,
  { id, worker, attempts }: JobLease,
  { checkpoint, done, total }: { checkpoint: JsonObject } & JobProgress,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'job-write-checkpoint',
    text: `update job set checkpoint = $4::jsonb, done = $5::bigint, total = $6::bigint where ${LEASED} returning 1`,
    values: [id, worker, attempts, JSON.stringify(checkpoint), done, total],
  });
  return rows.length > 0;
}

/** The end of a job. */
export type JobOutcome = {
  status: Exclude<JobStatus, 'created' | 'running'>;
  result?: JsonObject | undefined;
  error?: string;
};

/** Stores the end of a job. Returns whether the worker still had the lease. */
export async function finishJob(
  db: Queryable,
  { id, worker, attempts }: JobLease,
  { status, result, error, progress }: JobOutcome & { progress: JobProgress | undefined },
): Promise<boolean> {
  const rows = await db.query({
    name: 'job-finish',
    text: `update job set status = $4, result = $5::jsonb, error = $6, finished = clock_timestamp(),
        done = coalesce($7::bigint, done), total = coalesce($8::bigint, total), worker = null
      where ${LEASED} returning 1`,
    values: [
      id,
      worker,
      attempts,
      status,
      result === undefined ? null : JSON.stringify(result),
      error,
      progress?.done,
      progress?.total,
    ],
  });
  return rows.length > 0;
}

/** Releases a job so that another worker can take it at once; this attempt does not count. Ends it when a user aborted it. */
export async function releaseJob(db: Queryable, { id, worker, attempts }: JobLease): Promise<void> {
  await db.query({
    name: 'job-release',
    text: `with released as (
        update job set status = case when abort_requested then 'aborted' else 'created' end,
          finished = case when abort_requested then clock_timestamp() end,
          started = case when abort_requested then started end,
          attempts = attempts - 1, due = created, done = null, total = null, worker = null
        where ${LEASED} returning 1
      )
      select ${claims.WAKE(claims.JOB)} from released`,
    values: [id, worker, attempts],
  });
}

/** Ends jobs with expired leases that must not run again: as failed with `error`, or as aborted when a user has requested it. */
export async function endLostJobs(db: Queryable, maxAttempts: number, error: string): Promise<void> {
  await db.query({
    name: 'job-end-lost',
    text: `update job set status = case when abort_requested then 'aborted' else 'failed' end,
        error = case when not abort_requested then $2 end, finished = clock_timestamp(), worker = null
      where number in (${claims.UNCLAIMED(`select number from job where finished is null and status = 'running' and due <= clock_timestamp()
          and (abort_requested or attempts >= $1) limit 100`)})`,
    values: [maxAttempts, error],
  });
}
