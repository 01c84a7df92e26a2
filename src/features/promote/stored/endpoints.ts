import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { created, defineService, noContent, ok, type RequestContext, requests, type Service } from '#core';
import { BadRequest, Conflict, NotFound, TooManyRequests } from '#lib/errors';
import { isUuid } from '#lib/text/uuid';
import { enqueueJob } from '../../jobs/queue.ts';
import { MAX_PLAN_BYTES } from '../forms/plan.ts';
import { EntriesInBody, FilesInBody, RuleInBody, receiveFile, SetupInBody } from '../forms/plan-body.ts';
import {
  addPart,
  countUnfinished,
  deletePlan,
  findPlan,
  insertPlan,
  lockPlans,
  markWaiting,
  type StoredPlan,
} from '../statements/plans.ts';
import { APPLY_ACTION } from './apply-stored.ts';
import { PlanBody, planJson } from './plan-json.ts';

/** Entries of a plan that comes in parts. */
const MAX_STORED_ENTRIES = 100_000;
/** Bytes of a plan that comes in parts, with its files. */
const MAX_STORED_BYTES = 2 * 1024 ** 3;
/** Plans of one user that are not applied. */
const MAX_UNFINISHED = 5;
/** Seconds after which a user with too many plans may try again. */
const RETRY_SECONDS = 60;

const common = {
  name: '@promotion',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
} as const;

const PLAN = { params: Type.Object({ id: Type.String({ maxLength: 64 }) }) };

const NO_PLAN = { description: 'There is no such plan, or it is that of another user.' };
const AT_WORK = { description: 'A job applies it, or it was applied.' };

/** The plan of an address. Throws NotFound for another user's: its report has what only its user may see. */
async function requirePlan({ caller }: RequestContext, db: RequestContext['db'], id: string): Promise<StoredPlan> {
  const plan = isUuid(id) ? await findPlan(db, id) : undefined;
  if (!plan || plan.owner !== caller.id)
    throw new NotFound(`/@promotion/plans/${id.slice(0, 64)}`, 'There is no such plan.');
  return plan;
}

/** Throws Conflict for a plan that a job applies, or that was applied. */
function requireIdle({ state, atWork }: StoredPlan): void {
  if (state === 'applied') throw new Conflict('The plan was applied. Make a new one.');
  if (state === 'waiting' && atWork) throw new Conflict('A job applies the plan. Wait for its end, or abort the job.');
}

/**
 * Locks a plan that no job applies, and that was not applied, until the transaction ends. Throws Conflict for others. It is looked at before it is
 * locked, because the job has the lock until its work is done.
 */
async function lockIdle(context: RequestContext, tx: RequestContext['db'], id: string): Promise<StoredPlan> {
  requireIdle(await requirePlan(context, tx, id));
  await findPlan(tx, id, { isLocked: true });
  // Read anew: a statement that has waited for the lock does not see the job that was made meanwhile.
  const plan = await requirePlan(context, tx, id);
  requireIdle(plan);
  return plan;
}

/** Throws BadRequest for a plan that is too large. */
function requireBounds({ entries, bytes }: { entries: number; bytes: number }): void {
  if (entries > MAX_STORED_ENTRIES)
    throw new BadRequest(`A plan has ${MAX_STORED_ENTRIES} entries at most. Make one for each part of the site.`);
  if (bytes > MAX_STORED_BYTES)
    throw new BadRequest(
      `A plan has ${MAX_STORED_BYTES / 1024 ** 3} GiB with its files at most. Make one for each part of the site.`,
    );
}

/** POST `@promotion/plans`: begins a plan that comes in parts. */
const postStored = defineService({
  ...common,
  method: 'POST',
  rest: ['plans'],
  summary: 'Begins a plan that comes in parts, and is applied by a job.',
  bodyLimit: MAX_PLAN_BYTES,
  body: Type.Object({ setup: SetupInBody }),
  responses: {
    201: { description: 'The plan.', schema: PlanBody, headers: { Location: { description: 'Its address.' } } },
    429: { description: 'The user has too many plans that are not applied.' },
  },
  async run(context) {
    const { kernel, caller, body, base, auth } = context;
    const owner = caller.id ?? '';
    const setup = JSON.stringify(body.setup);
    const id = randomUUID();
    const json = await kernel.db.transaction(async (tx) => {
      await lockPlans(tx);
      if ((await countUnfinished(tx, owner)) >= MAX_UNFINISHED)
        throw new TooManyRequests(
          `You have ${MAX_UNFINISHED} plans that are not applied: remove one, or wait for the end of one.`,
          RETRY_SECONDS,
        );
      await insertPlan(tx, { id, owner, setup, bytes: Buffer.byteLength(setup), now: auth.now() });
      return planJson(base, await requirePlan(context, tx, id));
    });
    return created(json, { Location: json['@id'] });
  },
});

/** GET `@promotion/plans/{id}`: how a plan stands. */
const getStored = defineService({
  ...common,
  ...PLAN,
  method: 'GET',
  rest: ['plans/{id}'],
  summary: 'How a plan stands that comes in parts, with its report.',
  responses: { 200: { description: 'The plan.', schema: PlanBody }, 404: NO_PLAN },
  async run(context) {
    const { db, base, params } = context;
    return ok(planJson(base, await requirePlan(context, db, params.id)));
  },
});

/** PUT `@promotion/plans/{id}/entries/{from}`: the next entries of a plan. */
const putEntries = defineService({
  ...common,
  method: 'PUT',
  rest: ['plans/{id}/entries/{from}'],
  params: Type.Object({
    id: Type.String({ maxLength: 64 }),
    from: Type.String({ pattern: '^[0-9]{1,6}$', message: 'must be the number of entries that came before' }),
  }),
  summary: 'Adds entries to a plan, with the files that they bring. A part that came already is not added again.',
  bodyLimit: MAX_PLAN_BYTES,
  body: Type.Object({ entries: EntriesInBody, files: FilesInBody }),
  responses: {
    200: { description: 'The plan.', schema: PlanBody },
    404: NO_PLAN,
    409: { description: 'A part before this one is missing, a job applies the plan, or it was applied.' },
  },
  async run(context) {
    const { kernel, params, body, base, auth } = context;
    const from = Number(params.from);
    const texts = body.entries.map((entry) => JSON.stringify(entry));
    const fileBytes = Object.values(body.files).reduce((sum, text) => sum + Math.ceil((text.length * 3) / 4), 0);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), fileBytes);
    // Before files are stored.
    const before = await requirePlan(context, context.db, params.id);
    requireIdle(before);
    requireBounds({ entries: from + texts.length, bytes: before.bytes + bytes });
    const files: { hash: string; size: number }[] = [];
    for (const [hash, text] of Object.entries(body.files)) {
      const stored = await receiveFile(kernel, hash, text);
      if (stored) files.push({ hash, size: stored.size });
    }
    return ok(
      await kernel.db.transaction(async (tx) => {
        const plan = await lockIdle(context, tx, params.id);
        if (from > plan.entries) throw new Conflict(`${plan.entries} entries came. Go on behind these.`);
        requireBounds({ entries: plan.entries, bytes: plan.bytes + bytes });
        if (from === plan.entries) await addPart(tx, plan, { entries: texts, files, bytes, now: auth.now() });
        return planJson(base, await requirePlan(context, tx, params.id));
      }),
    );
  },
});

/** POST `@promotion/plans/{id}/apply`: has a job apply a plan. */
const postApply = defineService({
  ...common,
  ...PLAN,
  method: 'POST',
  rest: ['plans/{id}/apply'],
  summary: 'Has a job apply a plan in one transaction, or only says what would happen. Its report is at the plan.',
  body: Type.Object({
    conflicts: RuleInBody,
    only_check: Type.Boolean({ description: 'Whether everything is undone in the end.', default: false }),
  }),
  responses: {
    202: {
      description: 'A job applies it; it was asked for before, or just now.',
      schema: PlanBody,
      headers: { Location: { description: 'Address of the job.' } },
    },
    404: NO_PLAN,
    409: AT_WORK,
    429: { description: 'Too many jobs wait.' },
  },
  async run(context) {
    const { kernel, caller, params, body, base, auth, authentication } = context;
    const json = await kernel.db.transaction(async (tx) => {
      const plan = await lockIdle(context, tx, params.id);
      const job = await enqueueJob(kernel, tx, {
        ...{ action: APPLY_ACTION, params: { plan: plan.id }, actor: caller.id, asSystem: false, scheduledJob: null },
        ...{ title: `${body.only_check ? 'Check' : 'Apply'} a plan of ${plan.entries} entries`, description: '' },
      });
      const { paths } = authentication.limits ?? {};
      const [rule, onlyCheck] = [body.conflicts, body.only_check];
      await markWaiting(tx, plan.id, { rule, onlyCheck, job, paths: paths ? [...paths] : null, now: auth.now() });
      return planJson(base, await requirePlan(context, tx, plan.id));
    });
    return { status: 202 as const, headers: { Location: json.job ?? '' }, body: json };
  },
});

/** DELETE `@promotion/plans/{id}`: removes a plan. */
const deleteStored = defineService({
  ...common,
  ...PLAN,
  method: 'DELETE',
  rest: ['plans/{id}'],
  summary: 'Removes a plan that no job applies. Nothing of the site changes.',
  responses: { 204: { description: 'Removed.' }, 404: NO_PLAN, 409: { description: 'A job applies it.' } },
  async run(context) {
    await context.kernel.db.transaction(async (tx) => {
      const { id, state } = await requirePlan(context, tx, context.params.id);
      if (state !== 'applied') await lockIdle(context, tx, id);
      await deletePlan(tx, id);
    });
    return noContent();
  },
});

export const storedPlanServices: Service[] = [postStored, getStored, putEntries, postApply, deleteStored];
