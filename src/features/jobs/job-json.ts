import { type Static, Type } from 'typebox';
import { callers, schemas } from '#core';
import type { Job } from './statements/jobs.ts';

const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

/** A job in responses. */
export const JobBody = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  uuid: Type.String({ format: 'uuid' }),
  title: Type.String(),
  description: Type.String(),
  params: schemas.Extensible(
    {
      scheduled_job: Type.Optional(Type.String({ description: 'Id of the scheduled job that started it.' })),
      action: Type.String(),
    },
    { description: 'The action with its params.' },
  ),
  actor: Type.String({
    description: `Id of the user who asked for it; \`${callers.SYSTEM_USER}\` when a schedule started it.`,
  }),
  created: Type.String({ format: 'date-time' }),
  started: Moment,
  finished: Moment,
  status: Type.Enum(['created', 'running', 'completed', 'failed', 'aborted']),
  progress: Type.Union([Type.Object({ done: Type.Integer(), total: Type.Integer() }), Type.Null()], {
    description: 'How much is done of how much; null when the action does not report it.',
  }),
  result: schemas.AnyObject({ description: 'Empty until the job has a result.' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed.' }),
});

/** Address of a job. */
export const jobUrl = (base: string, id: string): string => `${base}/@jobs/${id}`;

/** Represents a job (Nick's contract, with `progress` and `error` in addition). */
export const jobJson = (base: string, job: Job): Static<typeof JobBody> => ({
  '@id': jobUrl(base, job.id),
  uuid: job.id,
  title: job.title,
  description: job.description,
  params: {
    ...(job.scheduledJob === null ? {} : { scheduled_job: job.scheduledJob }),
    action: job.action,
    ...job.params,
  },
  actor: job.actor ?? callers.SYSTEM_USER,
  created: job.created.toISOString(),
  started: job.started?.toISOString() ?? null,
  finished: job.finished?.toISOString() ?? null,
  status: job.status,
  progress: job.done === null || job.total === null ? null : { done: job.done, total: job.total },
  result: job.result ?? {},
  error: job.error,
});
