import { type Static, Type } from 'typebox';
import {
  batching,
  created,
  defineService,
  Form,
  formOf,
  MANAGE_PORTAL,
  noContent,
  ok,
  type Service,
  say,
  schemas,
} from '#core';
import {
  actionProblems,
  createScheduledJob,
  removeScheduledJob,
  requireScheduledJob,
  startScheduledJob,
  updateScheduledJob,
} from './change-scheduled-jobs.ts';
import { jobUrl } from './job-json.ts';
import { nextRun, SCHEDULE_ID } from './schedule.ts';
import { listScheduledJobs, type ScheduledJob } from './statements/scheduled-jobs.ts';

/** A cron expression that has a next run. `run` gets it without white space around it. */
const Schedule = Type.Decode(
  Type.Refine(
    Type.String({
      description: 'A cron expression of five fields, in UTC.',
      maxLength: 200,
      default: '0 0 * * *',
      message:
        'must be a cron expression of five fields in UTC (minute, hour, day, month, day of the week) that some day fits, such as "0 3 * * *"',
    }),
    (schedule) => nextRun(schedule.trim(), new Date()) !== undefined,
  ),
  (schedule) => schedule.trim(),
);

const Title = schemas.Text({
  description: 'Title; the id unless given.',
  maxLength: 255,
  message: 'must be a text of at most 255 characters',
});

/** Members of the bodies of both PATCH and POST. */
const Members = {
  title: Type.Optional(Title),
  description: schemas.Text({ maxLength: 2000, default: '', message: 'must be a text of at most 2000 characters' }),
  enabled: Type.Boolean({
    description: 'Whether it starts by itself.',
    default: true,
    message: 'must be true or false',
  }),
  action: Type.String({ description: 'One of `@scheduled-job-actions`.', maxLength: 100 }),
  params: schemas.AnyObject({ description: 'What the schema of the action asks for.', default: {} }),
  schedule: Schedule,
};

const EXAMPLE = { title: 'Reindex pages', action: 'reindex', params: { type: ['Page'] }, schedule: '0 3 * * *' };

const NewScheduledJob = Type.Object(
  {
    id: Type.String({
      description: 'Its id.',
      pattern: SCHEDULE_ID.source,
      message: 'must be 1 to 100 letters, digits and any of "_.-", such as nightly-reindex',
    }),
    ...Members,
  },
  { examples: [{ id: 'reindex-pages', ...EXAMPLE }] },
);

const ScheduledJobChange = schemas.Changes(
  Type.Object({ id: Type.String({ description: 'Its id, which stays.' }), ...Members, next_run: schemas.SentBack }),
  { examples: [EXAMPLE] },
);

/** A scheduled job in responses. */
const ScheduledJobBody = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
  action: Type.String(),
  params: schemas.AnyObject(),
  schedule: Type.String({ description: 'A cron expression of five fields, in UTC.' }),
  next_run: schemas.Nullable(Type.String({ format: 'date-time' }), {
    description: 'When it starts next; null while it is not enabled.',
  }),
});

const scheduledJobUrl = (base: string, id: string): string => `${base}/@scheduled-jobs/${encodeURIComponent(id)}`;

/** Represents a scheduled job (Nick's contract, with `next_run` in addition). */
const scheduledJobJson = (base: string, { nextRun: next, ...job }: ScheduledJob): Static<typeof ScheduledJobBody> => ({
  '@id': scheduledJobUrl(base, job.id),
  ...job,
  next_run: next?.toISOString() ?? null,
});

const common = { name: '@scheduled-jobs', context: 'site', permission: MANAGE_PORTAL } as const;
const PROBLEMS = { description: 'A problem for each field, in `error.errors`.' };
const MISSING = { description: 'There is no such scheduled job.' };

/** GET `@scheduled-jobs`: the scheduled jobs. */
const getScheduledJobs = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists scheduled jobs by id. When there are more, the header Link has the address of the next ones.',
  query: Type.Object(batching.Query('scheduled jobs', { size: 100, most: 1000 })),
  responses: { 200: { description: 'A batch of the scheduled jobs.', schema: Type.Array(ScheduledJobBody) } },
  async run({ db, base, searchParams, query: { b_start: offset, b_size: limit } }) {
    const jobs = await listScheduledJobs(db, { limit: limit + 1, offset });
    const headers =
      jobs.length > limit ? batching.nextLink(`${base}/@scheduled-jobs`, searchParams, { limit, offset }) : {};
    return ok(
      jobs.slice(0, limit).map((job) => scheduledJobJson(base, job)),
      headers,
    );
  },
});

/** GET `@scheduled-jobs/<id>`: one scheduled job. */
const getScheduledJob = defineService({
  ...common,
  method: 'GET',
  summary: 'A scheduled job.',
  rest: ['{id}'],
  responses: { 200: { description: 'The scheduled job.', schema: ScheduledJobBody }, 404: MISSING },
  run: async ({ db, base, params }) => ok(scheduledJobJson(base, await requireScheduledJob(db, params.id))),
});

/** POST `@scheduled-jobs`: creates a scheduled job. */
const postScheduledJob = defineService({
  ...common,
  method: 'POST',
  summary: 'Creates a scheduled job.',
  body: NewScheduledJob,
  check({ kernel, site }, { body: { action, params = {} } }) {
    return action === undefined ? [] : actionProblems(kernel, site, { action, params });
  },
  responses: {
    201: {
      description: 'The new scheduled job.',
      schema: ScheduledJobBody,
      headers: { Location: { description: 'Its address.' } },
    },
    400: PROBLEMS,
  },
  async run({ kernel, caller, base, body: { id, title, description, enabled, action, params, schedule } }) {
    const job = await createScheduledJob(kernel, caller, {
      id,
      ...(title === undefined ? {} : { title }),
      ...{ description, enabled, action, params, schedule },
    });
    return created(scheduledJobJson(base, job), { Location: scheduledJobUrl(base, job.id) });
  },
});

/** PATCH `@scheduled-jobs/<id>`: changes a scheduled job. */
const patchScheduledJob = defineService({
  ...common,
  method: 'PATCH',
  summary: 'Changes the members of a scheduled job that the body names; `params` as a whole.',
  rest: ['{id}'],
  body: ScheduledJobChange,
  check: (_context, { params, body: { id } }) =>
    id === undefined || id === params.id
      ? []
      : [{ field: 'id', message: 'cannot be changed: make another scheduled job' }],
  responses: { 204: { description: 'Changed.' }, 400: PROBLEMS, 404: MISSING },
  async run({ kernel, site, caller, params, body: { id: _id, next_run: _next, ...change } }) {
    await updateScheduledJob(kernel, { site, caller, id: params.id, change });
    return noContent();
  },
});

/** DELETE `@scheduled-jobs/<id>`: removes a scheduled job. */
const deleteScheduledJob = defineService({
  ...common,
  method: 'DELETE',
  summary: 'Removes a scheduled job. Jobs that it has started stay.',
  rest: ['{id}'],
  responses: { 204: { description: 'Removed.' }, 404: MISSING },
  async run({ kernel, caller, params }) {
    await removeScheduledJob(kernel, caller, params.id);
    return noContent();
  },
});

/** POST `@scheduled-jobs/<id>/start`: starts a scheduled job now. */
const postStart = defineService({
  ...common,
  method: 'POST',
  summary: 'Starts a scheduled job now, whether it is enabled or not.',
  rest: ['{id}/start'],
  body: schemas.OpenObject({}, { description: 'Nothing of it is used.' }),
  responses: {
    204: { description: 'The job waits.', headers: { Location: { description: 'Address of the job.' } } },
    400: { description: 'Its action is gone.' },
    404: MISSING,
    429: { description: 'Too many jobs wait.' },
  },
  async run({ kernel, caller, base, params }) {
    const job = await startScheduledJob(kernel, { id: params.id, caller });
    return noContent({ Location: jobUrl(base, job) });
  },
});

const Action = Type.Object({
  '@schema': Form,
  addview: Type.String({ description: 'What to send as `action`.' }),
  title: Type.String(),
  description: Type.String(),
});

/** GET `@scheduled-job-actions`: the actions that scheduled jobs can run. */
const getScheduledJobActions = defineService({
  name: '@scheduled-job-actions',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  tag: 'scheduled-jobs',
  summary: 'Lists what scheduled jobs can do, with the params of each.',
  responses: { 200: { description: 'The actions.', schema: Type.Array(Action) } },
  run: async ({ kernel, site, base }) =>
    ok(
      kernel.jobActions.all().map(({ name, title, description, schema }) => ({
        '@schema': formOf(site, base, schema),
        addview: name,
        title: say(site, title),
        description: say(site, description),
      })),
    ),
});

export const scheduledJobsServices: Service[] = [
  getScheduledJobs,
  getScheduledJob,
  postScheduledJob,
  patchScheduledJob,
  deleteScheduledJob,
  postStart,
  getScheduledJobActions,
];
