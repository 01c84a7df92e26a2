import { type TObject, Type } from 'typebox';
import type { JsonObject } from '../../../lib/json-object.ts';
import { documented } from '../../../services/openapi/documented.ts';
import type { ScheduledJob } from '../statements/scheduled-jobs.ts';

/** A scheduled job in answers. */
export const ScheduledJobBody: TObject = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
  action: Type.String(),
  params: Type.Object({}, { additionalProperties: true }),
  schedule: Type.String({ description: 'A cron expression of five fields, in UTC.' }),
  next_run: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When it starts next; null while it is not enabled.',
  }),
});

/** Keys that POST and PATCH read. The domain says what is wrong with each; other keys are passed over. */
const KEYS = {
  title: Type.Optional(documented(Type.String({ description: 'Title; the id unless given.', maxLength: 255 }))),
  description: Type.Optional(documented(Type.String({ maxLength: 2000 }))),
  enabled: Type.Optional(documented(Type.Boolean({ description: 'Whether it starts by itself.', default: true }))),
  params: Type.Optional(
    documented(Type.Object({}, { additionalProperties: true, description: 'What the schema of the action asks for.' })),
  ),
  schedule: Type.Optional(
    documented(
      Type.String({ description: 'A cron expression of five fields, in UTC.', default: '0 0 * * *', maxLength: 200 }),
    ),
  ),
};
const Id = Type.String({ description: 'Its id, of letters, digits and any of "_.-".', maxLength: 100 });
const Action = Type.String({ description: 'One of `@scheduled-job-actions`.' });

const EXAMPLE = { title: 'Reindex pages', action: 'reindex', params: { type: ['Page'] }, schedule: '0 3 * * *' };

/** Body of POST `@scheduled-jobs`. */
export const NewScheduledJob = Type.Object(
  {
    id: Type.Optional(documented(Id, { required: true })),
    action: Type.Optional(documented(Action, { required: true })),
    ...KEYS,
  },
  { additionalProperties: true, examples: [{ id: 'reindex-pages', ...EXAMPLE }] },
);

/** Body of PATCH `@scheduled-jobs/<id>`. */
export const ScheduledJobChange = Type.Object(
  { action: Type.Optional(documented(Action)), ...KEYS },
  { additionalProperties: true, examples: [EXAMPLE] },
);

/** Address of a scheduled job. */
export const scheduledJobUrl = (base: string, id: string): string =>
  `${base}/@scheduled-jobs/${encodeURIComponent(id)}`;

/** A scheduled job for a client (Nick's contract, with `next_run` besides). */
export const scheduledJobJson = (base: string, { nextRun, ...job }: ScheduledJob): JsonObject => ({
  '@id': scheduledJobUrl(base, job.id),
  ...job,
  next_run: nextRun?.toISOString() ?? null,
});
