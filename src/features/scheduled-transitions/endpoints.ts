import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import {
  access,
  batching,
  created,
  defineService,
  has,
  MODIFY,
  noContent,
  notFoundHere,
  ok,
  type RequestContext,
  type Service,
  schemas,
  type Transaction,
  urlOf,
  VIEW,
  workflowHistory,
  workflowOf,
} from '#core';
import { BadRequest } from '#lib/errors';
import {
  deleteScheduled,
  findScheduled,
  insertScheduled,
  listScheduled,
  type ScheduledTransition,
} from './statements.ts';

/** Maximum number of waiting transitions of one object, and of past transitions that are stored. */
const MAX_WAITING = 20;
const KEPT = 50;

const Scheduled = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  transition: Type.String({ description: 'Id of the transition.' }),
  title: Type.String({ description: 'Title of the transition.' }),
  at: Type.String({ format: 'date-time', description: 'When it is to be made.' }),
  comment: Type.String(),
  include_children: Type.Boolean(),
  actor: schemas.Nullable(Type.String(), { description: 'In whose name; null when the user is gone.' }),
  created: Type.String({ format: 'date-time' }),
  status: Type.Enum(['waiting', 'done', 'refused']),
  finished: schemas.Nullable(Type.String({ format: 'date-time' }), { description: 'When it was made or refused.' }),
  reason: schemas.Nullable(Type.String(), { description: 'Why it was refused.' }),
});

/** Says if the caller is logged in, may view the content, and may either change it or take part in its reviews. */
const maySchedule = ({ site, caller, resolved }: RequestContext): boolean =>
  caller.id !== null &&
  has(site, caller, resolved, VIEW) &&
  (has(site, caller, resolved, MODIFY) || access.mayReadReviews(site, caller, resolved));

const addressOf = ({ base, resolved }: RequestContext): string =>
  `${urlOf(base, resolved.object.path)}/@scheduled-transitions`;

function scheduledJson(context: RequestContext, scheduled: ScheduledTransition): Static<typeof Scheduled> {
  const { id, transition, at, comment, includeChildren, actor, status, finished, reason } = scheduled;
  const workflow = workflowOf(context.site, context.resolved.object.type);
  return {
    '@id': `${addressOf(context)}/${id}`,
    id,
    transition,
    title: workflow?.transitions[transition]?.title ?? transition,
    at: at.toISOString(),
    comment,
    include_children: includeChildren,
    actor,
    created: scheduled.created.toISOString(),
    status,
    finished: finished?.toISOString() ?? null,
    reason,
  };
}

/** Emits the event of a change of a scheduled transition. */
const emitChange = (
  { kernel, caller, resolved }: Pick<RequestContext, 'kernel' | 'caller' | 'resolved'>,
  tx: Transaction,
  change: { id: string; change: string; names?: string[] },
): Promise<void> =>
  kernel.events.emit(
    'site.changed',
    { part: 'scheduled-transition', ...change, path: resolved.object.path },
    { tx, caller },
  );

const common = {
  name: '@scheduled-transitions',
  context: 'content',
  permission: null,
  checkPermission: maySchedule,
} as const;

/** GET `@scheduled-transitions`: pending and past transitions of content. */
const getScheduled = defineService({
  ...common,
  method: 'GET',
  summary:
    'Lists the transitions of content that wait for their time, the next first, then those that were made or refused.',
  responses: {
    200: {
      description: 'All that wait, and the last ones that are over.',
      schema: batching.ListOf(Scheduled),
    },
  },
  async run(context) {
    const items = await listScheduled(context.db, context.resolved.object.oid);
    return ok({
      '@id': addressOf(context),
      items: items.map((one) => scheduledJson(context, one)),
      items_total: items.length,
    });
  },
});

/** GET `@scheduled-transitions/<id>`: one scheduled transition. */
const getOne = defineService({
  ...common,
  method: 'GET',
  summary: 'A transition that waits for its time, or that was made or refused.',
  rest: ['{id}'],
  responses: {
    200: { description: 'The scheduled transition.', schema: Scheduled },
    404: { description: 'The content has no such scheduled transition.' },
  },
  async run(context) {
    const { id } = context.params;
    const { oid } = context.resolved.object;
    const found = await findScheduled(context.db, oid, id);
    if (!found) throw notFoundHere(context, '@scheduled-transitions');
    return ok(scheduledJson(context, found));
  },
});

/** POST `@scheduled-transitions`: schedules a transition. */
const postScheduled = defineService({
  ...common,
  method: 'POST',
  summary:
    'Has a transition of the workflow made at a time, in the name of the user who asks and with the rights of then.',
  body: Type.Object(
    {
      transition: schemas.Text({
        description: 'Id of the transition. It need not be possible yet.',
        maxLength: 200,
        message: { required: 'Say which transition.' },
      }),
      at: schemas.Instant({ description: 'When, with an offset or in UTC.' }),
      comment: schemas.Text({
        description: 'A comment for the history.',
        maxLength: workflowHistory.MAX_COMMENT_LENGTH,
        default: '',
      }),
      include_children: Type.Boolean({
        description: 'Whether everything below follows.',
        default: false,
        message: 'must be true or false',
      }),
    },
    { examples: [{ transition: 'publish', at: '2030-05-01T08:00:00+02:00' }] },
  ),
  check({ site, resolved, auth }, { body: { transition, at } }) {
    const known = Object.keys(workflowOf(site, resolved.object.type)?.transitions ?? {});
    return [
      ...(transition === undefined || known.includes(transition)
        ? []
        : [
            {
              field: 'transition',
              message: `Is none of the transitions of its workflow: ${known.join(', ') || 'none'}.`,
            },
          ]),
      ...(at === undefined || at > auth.now() ? [] : [{ field: 'at', message: 'Must be a time in the future.' }]),
    ];
  },
  responses: {
    201: {
      description: 'It waits for its time.',
      schema: Scheduled,
      headers: { Location: { description: 'Its address.' } },
    },
    400: { description: 'There is no such transition, its time has passed, or too many wait already.' },
  },
  async run(context) {
    const { kernel, caller, resolved, body, auth } = context;
    const { transition, at, comment, include_children: includeChildren } = body;
    const scheduled = {
      ...{ id: randomUUID(), transition, at, comment, includeChildren },
      ...{ actor: caller.id, created: auth.now() },
    };
    const { oid } = resolved.object;
    const added = await kernel.db.transaction(async (tx) => {
      const fits = await insertScheduled(tx, oid, scheduled, { most: MAX_WAITING, kept: KEPT });
      if (fits) await emitChange(context, tx, { id: scheduled.id, change: 'created', names: [transition] });
      return fits;
    });
    if (!added) throw new BadRequest(`${MAX_WAITING} transitions of this wait already: take one away first.`);
    const json = scheduledJson(context, { ...scheduled, status: 'waiting', finished: null, reason: null });
    return created(json, { Location: json['@id'] });
  },
});

/** DELETE `@scheduled-transitions/<id>`: removes a scheduled transition. */
const deleteOne = defineService({
  ...common,
  method: 'DELETE',
  summary: 'Takes a scheduled transition away: one that waits is not made, of one that is over the note goes.',
  rest: ['{id}'],
  responses: { 204: { description: 'Gone.' }, 404: { description: 'The content has no such scheduled transition.' } },
  async run(context) {
    const { id } = context.params;
    const { oid } = context.resolved.object;
    await context.kernel.db.transaction(async (tx) => {
      if (!(await deleteScheduled(tx, oid, id))) throw notFoundHere(context, '@scheduled-transitions');
      await emitChange(context, tx, { id, change: 'removed' });
    });
    return noContent();
  },
});

export const scheduledTransitionServices: Service[] = [getScheduled, getOne, postScheduled, deleteOne];
