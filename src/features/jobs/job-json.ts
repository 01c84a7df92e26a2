import { type TObject, Type } from 'typebox';
import { has, reject } from '../../content/permissions.ts';
import { NotFound } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import type { RequestContext } from '../../services/service.ts';
import type { Queryable } from '../../storage/database.ts';
import { SYSTEM } from './running-job.ts';
import { findJob, type Job } from './statements/jobs.ts';

const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

/** A job in answers. */
export const JobBody: TObject = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  uuid: Type.String({ format: 'uuid' }),
  title: Type.String(),
  description: Type.String(),
  params: Type.Object(
    {
      scheduled_job: Type.Optional(Type.String({ description: 'Id of the scheduled job that it was started by.' })),
      action: Type.String(),
    },
    { additionalProperties: true, description: 'The action with its params.' },
  ),
  actor: Type.String({ description: `Id of the user who asked for it; \`${SYSTEM}\` for the clock.` }),
  created: Type.String({ format: 'date-time' }),
  started: Moment,
  finished: Moment,
  status: Type.Union(['created', 'running', 'completed', 'failed', 'aborted'].map((status) => Type.Literal(status))),
  progress: Type.Union([Type.Object({ done: Type.Integer(), total: Type.Integer() }), Type.Null()], {
    description: 'How much is done of how much, as far as the action tells.',
  }),
  result: Type.Object({}, { additionalProperties: true, description: 'Empty while there is none.' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed.' }),
});

/** Address of a job. */
export const jobUrl = (base: string, id: string): string => `${base}/@jobs/${id}`;

/** A job for a client (Nick's contract, with `progress` and `error` besides). */
export const jobJson = (base: string, job: Job): JsonObject => ({
  '@id': jobUrl(base, job.id),
  uuid: job.id,
  title: job.title,
  description: job.description,
  params: {
    ...(job.scheduledJob === null ? {} : { scheduled_job: job.scheduledJob }),
    action: job.action,
    ...job.params,
  },
  actor: job.actor ?? SYSTEM,
  created: job.created.toISOString(),
  started: job.started?.toISOString() ?? null,
  finished: job.finished?.toISOString() ?? null,
  status: job.status,
  progress: job.done === null || job.total === null ? null : { done: job.done, total: job.total },
  result: job.result ?? {},
  error: job.error,
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the caller sees the jobs of everybody. */
export const managesJobs = ({ site, caller, resolved }: RequestContext): boolean =>
  has(site, caller, resolved, MANAGE_PORTAL);

/** Whose jobs the caller sees: undefined for everybody's. Throws Unauthorized for nobody. */
export function jobOwner(context: RequestContext): string | undefined {
  const { caller } = context;
  if (caller.id === null) reject(caller);
  return managesJobs(context) ? undefined : caller.id;
}

/**
 * The job of the address, for managers and for who asked for it; `hold` keeps it as it is until the transaction `db` ends.
 * Throws NotFound for managers; for others Unauthorized or Forbidden, whether there is such a job or not.
 */
export async function requireJob(context: RequestContext, db: Queryable, lockMode = false): Promise<Job> {
  const id = context.rest[0] ?? '';
  const actor = jobOwner(context);
  const job = UUID.test(id) ? await findJob(db, id, { actor, lockMode }) : undefined;
  if (job) return job;
  if (actor !== undefined) reject(context.caller, 'There is no job of yours with this id.');
  throw new NotFound(`/@jobs/${id}`, 'There is no job with this id.');
}
