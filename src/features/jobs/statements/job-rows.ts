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
