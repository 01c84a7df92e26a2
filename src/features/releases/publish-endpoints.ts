import { Type } from 'typebox';
import {
  defineService,
  has,
  kernelWithin,
  ok,
  type RequestContext,
  reject,
  requestsWithin,
  type Service,
  schemas,
} from '#core';
import { BadRequest, Conflict } from '#lib/errors';
import { checkRelease } from './check.ts';
import { emitChange } from './events.ts';
import { type FoundRelease, rejectEnded, requireRelease, requireSeen } from './found-release.ts';
import { publishRelease } from './publish.ts';
import { WholeRelease, wholeJson } from './release-json.ts';
import { common, mayPublish } from './rights.ts';
import { markUndone, touchRelease } from './statements/releases.ts';
import { scheduleRelease } from './statements/schedule.ts';
import { undoRelease } from './undo.ts';

/** The permission to undo transactions (Zope's name). */
const UNDO = 'Undo changes';

const publishing = { ...common, checkPermission: mayPublish, method: 'POST', inPerson: true } as const;

const Choices = {
  changed: Type.Optional(
    schemas.Instant({
      description: 'The member `changed` of the release that you have read: 409 when somebody has changed it since.',
    }),
  ),
  on_conflict: Type.Optional(
    schemas.Choice(['mine', 'theirs'], {
      description: 'The side that counts where both changed the same: the release is `mine`. Without it, that is 409.',
    }),
  ),
};

const REFUSED = {
  404: { description: 'There is no such release.' },
  409: {
    description: 'It is published already, was changed since, or others have changed the same. Nothing was done.',
  },
} as const;

/** A locked release that can go live. Throws NotFound, Conflict, and BadRequest for one without parts. */
async function requirePublishable(
  context: RequestContext<{ id: string }, object, { changed?: Date | undefined }>,
): Promise<FoundRelease> {
  const found = await requireRelease(context, context.params.id, { isLocked: true });
  const { release, parts } = found;
  rejectEnded(release);
  const { changed } = context.body;
  if (changed !== undefined && changed.getTime() !== release.changed.getTime())
    throw new Conflict('The release was changed since you loaded it. Load it again.');
  requireSeen(found);
  if (parts.length === 0) throw new BadRequest('The release has no parts.');
  return found;
}

/** POST `@releases/<id>/check`. */
const check = defineService({
  ...common,
  method: 'POST',
  together: true,
  summary:
    'Says what a release would do if you published it now: changes, conflicts, links to nowhere, and what cannot work.',
  rest: ['{id}/check'],
  responses: {
    200: {
      description: 'The report. Nothing is done.',
      schema: Type.Object({
        ready: Type.Boolean({ description: 'Whether you could publish it now, without a choice between sides.' }),
        problems: Type.Array(
          Type.Object({
            part: schemas.Nullable(Type.Integer(), { description: 'Null for parts that you may not view.' }),
            status: Type.Integer(),
            type: Type.String(),
            message: Type.String(),
          }),
          { description: 'The parts that do not work, by your rights.' },
        ),
        conflicts: Type.Array(schemas.AnyObject(), {
          description: 'What both the release and others have changed, block by block.',
        }),
        broken_links: Type.Array(Type.Object({ '@id': schemas.Address, title: Type.String() }), {
          description:
            'Content that the release changes, or that links to what it removes, with links to nothing afterwards.',
        }),
        private_links: Type.Array(
          Type.Object({
            '@id': schemas.Address,
            title: Type.String(),
            target: Type.Object({ '@id': schemas.Address, title: Type.String() }),
          }),
          {
            description:
              'Links of content that visitors will see to content that they will not, of what the release changes.',
          },
        ),
        changes: Type.Array(schemas.AnyObject(), { description: 'As of a dry run, as you may see them.' }),
      }),
    },
    404: REFUSED[404],
    409: { description: 'It is published already.' },
  },
  async run(context) {
    const { release, parts, reader } = await requireRelease(context, context.params.id);
    rejectEnded(release);
    const { problems, conflicts, brokenLinks, privateLinks, changes } = await checkRelease(context, parts, reader);
    const ready = problems.length === 0 && conflicts.length === 0 && parts.length > 0 && mayPublish(context);
    return ok({
      ...{ ready, problems, conflicts, changes },
      ...{ broken_links: brokenLinks, private_links: privateLinks },
    });
  },
});

/** POST `@releases/<id>/publish`. */
const publish = defineService({
  ...publishing,
  together: true,
  summary: 'Does all parts of a release in one transaction, with your rights: all of them, or none.',
  rest: ['{id}/publish'],
  body: Type.Object(Choices, { examples: [{}] }),
  responses: { 200: { description: 'The release.', schema: WholeRelease }, ...REFUSED },
  async run(context) {
    const { authentication, body, auth } = context;
    const { release } = await requirePublishable(context);
    const sender = requestsWithin.partsOf(context);
    await publishRelease(sender, authentication, { release, prefer: body.on_conflict, now: auth.now() });
    return ok(wholeJson(context, await requireRelease(context, release.id)));
  },
});

/** POST `@releases/<id>/schedule`. */
const schedule = defineService({
  ...publishing,
  together: true,
  summary: 'Has a release go live at a time, in your name and with your rights of then.',
  rest: ['{id}/schedule'],
  body: Type.Object(
    { at: schemas.Instant({ description: 'When, with an offset or in UTC.' }), ...Choices },
    { examples: [{ at: '2030-05-01T08:00:00+02:00' }] },
  ),
  check({ auth }, { body: { at } }) {
    return at === undefined || at > auth.now() ? [] : [{ field: 'at', message: 'Must be a time in the future.' }];
  },
  responses: { 200: { description: 'The release.', schema: WholeRelease }, ...REFUSED },
  async run(context) {
    const { kernel, caller, body, base } = context;
    const { release } = await requirePublishable(context);
    await kernel.db.transaction(async (tx) => {
      const plan = { at: body.at, by: caller.id, prefer: body.on_conflict ?? null, base };
      await scheduleRelease(tx, release.id, plan);
      await emitChange(context, tx, release, 'scheduled');
    });
    return ok(wholeJson(context, await requireRelease(context, release.id)));
  },
});

/** DELETE `@releases/<id>/schedule`. */
const unschedule = defineService({
  ...publishing,
  method: 'DELETE',
  together: true,
  summary: 'Takes a release from the schedule: it is a draft again.',
  rest: ['{id}/schedule'],
  responses: {
    200: { description: 'The release.', schema: WholeRelease },
    404: REFUSED[404],
    409: { description: 'It is not scheduled.' },
  },
  async run(context) {
    const { kernel, params, auth } = context;
    const { release } = await requireRelease(context, params.id, { isLocked: true });
    if (release.state !== 'scheduled') throw new Conflict('The release is not scheduled.');
    await kernel.db.transaction(async (tx) => {
      await touchRelease(tx, { ...release, now: auth.now() });
      await emitChange(context, tx, release, 'unscheduled');
    });
    return ok(wholeJson(context, await requireRelease(context, release.id)));
  },
});

/** POST `@releases/<id>/undo`. */
const undo = defineService({
  ...publishing,
  summary: 'Undoes all that a release has done, as one transaction: all of it, or nothing.',
  rest: ['{id}/undo'],
  responses: {
    200: { description: 'The release.', schema: WholeRelease },
    400: { description: 'Something cannot be undone any more: `errors` says why. Nothing is undone.' },
    404: REFUSED[404],
    409: { description: 'It is not published, or the set-up that it has changed was changed since.' },
  },
  async run(context) {
    const { kernel, caller, site, resolved, params, auth } = context;
    if (!has(site, caller, resolved, UNDO)) reject(caller, 'You may not undo transactions of this site.');
    await kernel.db.transaction(async (tx) => {
      const within = kernelWithin(kernel, tx);
      const { release } = await requireRelease({ ...context, kernel: within }, params.id, {
        isLocked: true,
      });
      if (release.state !== 'published') throw new Conflict('The release is not published.');
      await undoRelease(within, tx, { caller, release });
      await markUndone(tx, release.id, { by: caller.id, now: auth.now() });
      await emitChange(context, tx, release, 'undone');
    });
    return ok(wholeJson(context, await requireRelease(context, params.id)));
  },
});

export const publishServices: Service[] = [check, publish, schedule, unschedule, undo];
