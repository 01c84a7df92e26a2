import { callers, type JobAction, kernelWithin, type Transaction } from '#core';
import { ClientError, Conflict, NotFound } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { isUuid } from '#lib/text/uuid';
import { applyPlan } from '../apply/apply-plan.ts';
import { parseSetup } from '../forms/plan.ts';
import { findPlan, markDone, markFailed, type StoredPlan, sizeOfFile } from '../statements/plans.ts';
import { storedEntries } from './stored-entries.ts';

export const APPLY_ACTION = 'apply-plan';

/** The job, as its context has it. */
type Job = Parameters<JobAction['run']>[0];

const gone = (id: string) => new NotFound(`/@promotion/plans/${id}`, 'This plan is no longer stored.');

/** Applies a locked plan in a transaction, and stores its report there. */
async function applyWithin(job: Job, tx: Transaction, plan: StoredPlan): Promise<void> {
  const { signal } = job;
  const onlyCheck = plan.onlyCheck === true;
  const kernel = kernelWithin(job.kernel, tx);
  const report = await applyPlan(kernel, {
    plan: { setup: parseSetup(plan.setup), entries: await storedEntries(tx, plan) },
    caller: plan.paths ? callers.confined(job.caller, plan.paths) : job.caller,
    rule: plan.rule ?? 'stop',
    dryRun: onlyCheck,
    async fileOf(hash) {
      const size = await sizeOfFile(tx, plan.id, hash);
      return size === undefined ? undefined : { hash, size };
    },
    onProgress(done, total) {
      // The transaction runs to its end by itself: nothing else stops it.
      signal.throwIfAborted();
      job.progress(done, total);
    },
  });
  await markDone(tx, plan.id, {
    ...{ state: onlyCheck ? 'open' : 'applied', now: new Date() },
    report: JSON.stringify({ report }),
  });
}

/** The reason why a plan was not applied, as it is stored. */
function problemOf(error: ClientError): JsonObject {
  const { status, type, message } = error;
  const conflicts = error instanceof Conflict ? error.details.conflicts : undefined;
  return { problem: { status, type, message, ...(Array.isArray(conflicts) ? { conflicts } : {}) } };
}

/** The result of the job, which has no paths: who may see the job need not see what the plan is about. */
async function resultOf({ kernel }: Job, id: string): Promise<JsonObject> {
  const plan = await findPlan(kernel.db, id);
  return { plan: id, applied: plan?.state === 'applied' };
}

/**
 * Applies a plan that came in parts, in one transaction with the checkpoint of the job: a process that is killed leaves nothing of it, and the next one
 * begins anew with the stored parts. A plan that was applied is not applied again. A plan that is not possible is a result, not a failure of the job.
 */
export const applyAction: JobAction = {
  name: APPLY_ACTION,
  title: 'Apply a plan',
  description: 'Applies a plan of changes that was sent in parts before.',
  schema: {
    fieldsets: [{ id: 'default', title: 'Default', fields: ['plan'] }],
    properties: {
      plan: { title: 'Plan', description: 'The id of the plan.', type: 'string', factory: 'Text line (String)' },
    },
    required: ['plan'],
  },
  exclusive: true,
  check: ({ plan }) => (isUuid(String(plan)) ? [] : [{ field: 'plan', message: 'must be the id of a plan' }]),
  async run(job) {
    const id = String(job.params.plan);
    const before = await findPlan(job.kernel.db, id);
    if (!before) throw gone(id);
    // A Manager who retries the job of somebody else would lend rights to a plan that only this user can read.
    if (job.caller.id !== before.owner) throw new NotFound(`/@promotion/plans/${id}`, 'There is no such plan.');
    try {
      await job.step(async (tx) => {
        const plan = await findPlan(tx, id, { isLocked: true });
        if (!plan) throw gone(id);
        // It was applied by an earlier attempt of this job.
        if (plan.state === 'waiting') await applyWithin(job, tx, plan);
        return { checkpoint: {}, done: plan.entries, total: plan.entries };
      });
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const report = JSON.stringify(problemOf(error));
      await markFailed(job.kernel.db, { id, job: before.job }, { report, now: new Date() });
    }
    return resultOf(job, id);
  },
};
