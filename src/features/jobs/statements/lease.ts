import type { JsonObject } from '../../../lib/json-object.ts';
import type { Database, Queryable } from '../../../storage/database.ts';
import { brokenUniqueConstraint } from '../../../storage/sql-error.ts';
import { JOBS_CHANNEL, type Job, type JobStatus } from './jobs.ts';

/** Who has a job. The number of the attempt tells a worker from itself, should it have lost the job and taken it again. */
export type JobHolder = { id: string; worker: string; attempts: number };

/** A job that a worker has taken. */
export type HeldJob = JobHolder & Pick<Job, 'action' | 'params' | 'actor' | 'asSystem'>;

/** How far a job is. */
export type JobProgress = { done: number; total: number };

const HELD = `id = $1 and worker = $2::uuid and attempts = $3 and status = 'running'`;
/** All times are those of the database: the clocks of processes differ. */
const LEASE_END = (milliseconds: string): string =>
  `clock_timestamp() + ${milliseconds}::int * interval '1 millisecond'`;

const TAKE = `update job set status = 'running', worker = $1::uuid, attempts = attempts + 1, lease_until = ${LEASE_END('$2')},
    started = coalesce(started, clock_timestamp()), done = null, total = null
  where number = (
    select j.number from job j
    where j.finished is null and not j.abort_requested and j.action = any($3::text[])
      and (j.status = 'created' or (j.lease_until <= clock_timestamp() and j.attempts < $4)) and j.id <> all($5::uuid[])
      and not (j.exclusive and exists (
        select from job other where other.action = j.action and other.exclusive and other.status = 'running'
          and other.number <> j.number))
    order by j.number limit 1 for update skip locked)
  returning id, worker, attempts, action, params, actor, as_system as "asSystem"`;

/**
 * Takes the oldest job that waits, or whose worker is gone, for `lease` milliseconds; undefined when there is none.
 * `actions` are those that the worker knows, `running` the jobs that it is at; a job is taken `mostAttempts` times at most.
 */
export async function takeJob(
  db: Database,
  taking: { worker: string; lease: number; actions: string[]; mostAttempts: number; running: string[] },
): Promise<HeldJob | undefined> {
  const { worker, lease, actions, mostAttempts, running } = taking;
  for (;;) {
    try {
      const rows = await db.query<HeldJob>({
        name: 'job-take',
        text: TAKE,
        values: [worker, lease, actions, mostAttempts, running],
      });
      return rows[0];
    } catch (error) {
      // Another worker began a job of the action in the same instant. Its job can be seen now.
      if (brokenUniqueConstraint(error) !== 'job_running_alone') throw error;
    }
  }
}

/**
 * Keeps a job for another `lease` milliseconds and tells how far it is. Answers whether it is to be aborted; undefined when it
 * is not the holder's any more.
 */
export async function keepJob(
  db: Queryable,
  { id, worker, attempts }: JobHolder,
  { lease, progress }: { lease: number; progress: JobProgress | undefined },
): Promise<{ abortRequested: boolean } | undefined> {
  const rows = await db.query<{ abortRequested: boolean }>({
    name: 'job-keep',
    text: `update job set lease_until = ${LEASE_END('$4')}, done = coalesce($5::bigint, done), total = coalesce($6::bigint, total)
      where ${HELD} returning abort_requested as "abortRequested"`,
    values: [id, worker, attempts, lease, progress?.done, progress?.total],
  });
  return rows[0];
}

/** What became of a job. */
export type JobOutcome = {
  status: Exclude<JobStatus, 'created' | 'running'>;
  result?: JsonObject | undefined;
  error?: string;
};

/** Ends a job. Answers whether it was still the holder's. */
export async function finishJob(
  db: Queryable,
  { id, worker, attempts }: JobHolder,
  { status, result, error, progress }: JobOutcome & { progress: JobProgress | undefined },
): Promise<boolean> {
  const rows = await db.query({
    name: 'job-finish',
    text: `update job set status = $4, result = $5::jsonb, error = $6, finished = clock_timestamp(),
        done = coalesce($7::bigint, done), total = coalesce($8::bigint, total), worker = null, lease_until = null
      where ${HELD} returning 1`,
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

/** Gives a job back as if it had not been taken, for another worker to take at once; ends it when it is to be aborted. */
export async function releaseJob(db: Queryable, { id, worker, attempts }: JobHolder): Promise<void> {
  await db.query({
    name: 'job-release',
    text: `with released as (
        update job set status = case when abort_requested then 'aborted' else 'created' end,
          finished = case when abort_requested then clock_timestamp() end,
          started = case when abort_requested then started end,
          attempts = attempts - 1, done = null, total = null, worker = null, lease_until = null
        where ${HELD} returning 1
      )
      select pg_notify('${JOBS_CHANNEL}', '') from released`,
    values: [id, worker, attempts],
  });
}

/** Ends the jobs whose workers are gone and that are not to be taken again: with `error`, or as aborted where that was asked. */
export async function endLostJobs(db: Queryable, mostAttempts: number, error: string): Promise<void> {
  await db.query({
    name: 'job-end-lost',
    text: `update job set status = case when abort_requested then 'aborted' else 'failed' end,
        error = case when not abort_requested then $2 end, finished = clock_timestamp(), worker = null, lease_until = null
      where number in (
        select number from job where finished is null and lease_until <= clock_timestamp()
          and (abort_requested or attempts >= $1) limit 100 for update skip locked)`,
    values: [mostAttempts, error],
  });
}
