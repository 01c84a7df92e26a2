import { claims, type Queryable } from '#core';
import type { JsonObject } from '#lib/json-object';

/** A job that a cron schedule starts. `nextRun` is null while it is disabled. */
export type ScheduledJob = {
  id: string;
  title: string;
  description: string;
  enabled: boolean;
  action: string;
  params: JsonObject;
  /** A cron expression of five fields, in UTC. */
  schedule: string;
  nextRun: Date | null;
};

const COLUMNS = 'id, title, description, enabled, action, params, schedule, next_run as "nextRun"';

/** A batch of the scheduled jobs, ordered by id. */
export const listScheduledJobs = (
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<ScheduledJob[]> =>
  db.query<ScheduledJob>({
    name: 'scheduled-job-list',
    text: `select ${COLUMNS} from scheduled_job order by id collate "C" limit $1::bigint offset $2::bigint`,
    values: [limit, offset],
  });

/** One scheduled job; `lockMode` locks it until the transaction ends. */
export async function findScheduledJob(db: Queryable, id: string, lockMode = false): Promise<ScheduledJob | undefined> {
  const rows = await db.query<ScheduledJob>({
    name: lockMode ? 'scheduled-job-lock' : 'scheduled-job-find',
    text: `select ${COLUMNS} from scheduled_job where id = $1${lockMode ? ' for update' : ''}`,
    values: [id],
  });
  return rows[0];
}

const valuesOf = ({ id, title, description, enabled, action, params, schedule, nextRun }: ScheduledJob): unknown[] => [
  id,
  title,
  description,
  enabled,
  action,
  JSON.stringify(params),
  schedule,
  nextRun,
];

/** Inserts a scheduled job. Returns false when its id is taken. */
export async function insertScheduledJob(db: Queryable, job: ScheduledJob): Promise<boolean> {
  const rows = await db.query({
    name: 'scheduled-job-insert',
    text: `with made as (
        insert into scheduled_job (id, title, description, enabled, action, params, schedule, next_run)
        values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8) on conflict (id) do nothing returning 1
      )
      select ${claims.WAKE(claims.JOB)} from made`,
    values: valuesOf(job),
  });
  return rows.length > 0;
}

/** Replaces all columns of a scheduled job but its id. */
export async function replaceScheduledJob(db: Queryable, job: ScheduledJob): Promise<void> {
  await db.query({
    name: 'scheduled-job-replace',
    text: `with changed as (
        update scheduled_job set title = $2, description = $3, enabled = $4, action = $5, params = $6::jsonb, schedule = $7,
          next_run = $8 where id = $1 returning 1
      )
      select ${claims.WAKE(claims.JOB)} from changed`,
    values: valuesOf(job),
  });
}

/** Deletes a scheduled job. Returns whether it existed. */
export async function deleteScheduledJob(db: Queryable, id: string): Promise<boolean> {
  const text = 'delete from scheduled_job where id = $1 returning 1';
  return (await db.query({ name: 'scheduled-job-delete', text, values: [id] })).length > 0;
}

/** The earliest next run of the jobs of these actions; undefined when no run is planned. */
export async function nextScheduledRun(db: Queryable, actions: string[]): Promise<Date | undefined> {
  const rows = await db.query<{ nextRun: Date }>({
    name: 'scheduled-job-next',
    reads: true,
    text: `select next_run as "nextRun" from scheduled_job where next_run is not null and action = any($1::text[])
      order by next_run limit 1`,
    values: [actions],
  });
  return rows[0]?.nextRun;
}

/** Locks and returns a due job of these actions that no other process has locked. */
export async function lockDueJob(db: Queryable, now: Date, actions: string[]): Promise<ScheduledJob | undefined> {
  const rows = await db.query<ScheduledJob>({
    name: 'scheduled-job-due',
    text: claims.UNCLAIMED(`select ${COLUMNS} from scheduled_job where next_run <= $1 and action = any($2::text[])
      order by next_run limit 1`),
    values: [now, actions],
  });
  return rows[0];
}

/** Sets the next run of a job; null disables the job. */
export async function setNextRun(db: Queryable, id: string, nextRun: Date | null): Promise<void> {
  await db.query({
    name: 'scheduled-job-set-next',
    text: 'update scheduled_job set next_run = $2::timestamptz, enabled = $2::timestamptz is not null where id = $1',
    values: [id, nextRun],
  });
}

/** Deletes the scheduled jobs with one of these actions, and their waiting jobs. */
export async function deleteJobsOf(tx: Queryable, actions: readonly string[]): Promise<void> {
  await tx.query({ text: 'delete from scheduled_job where action = any($1::text[])', values: [actions] });
  await tx.query({
    text: `delete from job where action = any($1::text[]) and status = 'created'`,
    values: [actions],
  });
}
