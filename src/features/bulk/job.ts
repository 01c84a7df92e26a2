import { setTimeout as sleep } from 'node:timers/promises';
import { callers, type JobAction } from '#core';
import { NotFound, TooManyRequests } from '#lib/errors';
import { isUuid } from '#lib/text/uuid';
import { RECORDER } from '../transactions/recorder.ts';
import { changeObjects, type Maker } from './apply.ts';
import { METHODS } from './change-schema.ts';
import type { Operation } from './changes/operation.ts';
import { operationOf } from './changes/operation-of.ts';
import {
  allObjects,
  countOutcomes,
  doneObjects,
  findBulkChange,
  lockPending,
  pendingObjects,
  type StoredObject,
  storeOutcomes,
  storeTransaction,
} from './statements.ts';
import { parseStored } from './stored-data.ts';

export const BULK_ACTION = 'bulk-change';

/** Number of objects that one transaction changes: other writers wait for their locks. */
const BATCH = 25;
/** Milliseconds between two attempts to begin work that a process limits, such as replacing text. */
const AGAIN_MS = 2000;

/** The job, as its context has it. */
type Job = Parameters<JobAction['run']>[0];

/** Prepares the next objects. Waits while the process has reached its limit of such work. */
async function prepare({ signal }: Job, operation: Operation, objects: readonly StoredObject[]): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      await operation.prepare?.(objects);
      return;
    } catch (error) {
      if (!(error instanceof TooManyRequests)) throw error;
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** Changes some objects in one transaction, together with the progress of the job, so that each object is changed once. */
async function changeSome(
  job: Job,
  { bulk, operation, maker }: { bulk: string; operation: Operation; maker: Maker },
  objects: readonly StoredObject[],
): Promise<void> {
  const { kernel } = job;
  const numbers = objects.map(({ number }) => number);
  await job.step(async (tx, checkpoint) => {
    const rows = await lockPending(tx, bulk, numbers);
    const before = operation.wentAlong ? await doneObjects(tx, bulk) : [];
    const outcomes = await changeObjects(kernel, tx, { operation, maker, objects: rows, before });
    const numbered = rows.flatMap(({ number }, at) => {
      const outcome = outcomes[at];
      return outcome ? [{ ...outcome, number }] : [];
    });
    await storeOutcomes(tx, bulk, numbered);
    const changed = numbered.filter(({ outcome }) => outcome === 'changed').map(({ number }) => number);
    kernel.slots.get(RECORDER).whenRecorded(tx, (transaction) => storeTransaction(tx, bulk, changed, transaction));
    const { pending, ...counts } = await countOutcomes(tx, bulk);
    const done = counts.changed + counts.unchanged + counts.refused;
    return { checkpoint, done, total: done + pending };
  });
}

/** Makes a stored change to its objects, in the name and with the present rights of its user. An interrupted change continues. */
export const bulkAction: JobAction = {
  name: BULK_ACTION,
  title: 'Change many objects',
  description: 'Makes the rest of a change of many objects that was asked for before.',
  schema: {
    fieldsets: [{ id: 'default', title: 'Default', fields: ['bulk'] }],
    properties: {
      bulk: { title: 'Change', description: 'The id of its report.', type: 'string', factory: 'Text line (String)' },
    },
    required: ['bulk'],
  },
  exclusive: false,
  check: ({ bulk }) => (isUuid(String(bulk)) ? [] : [{ field: 'bulk', message: 'must be the id of a report' }]),
  async run(job) {
    const { kernel, params } = job;
    const bulk = String(params.bulk);
    // A retry by a Manager would lend the change of another user all rights.
    const stored = await findBulkChange(kernel.db, bulk, job.caller.id ?? '');
    if (!stored)
      throw new NotFound(`/@bulk/${bulk}`, 'This change is no longer stored, or it is that of another user.');
    const { parsed, bases, limits, target } = parseStored(stored.data);
    const selection = await allObjects(kernel.db, bulk);
    const operation = operationOf(parsed, { kernel, bases, selection, target });
    const caller = limits.paths ? callers.confined(job.caller, limits.paths) : job.caller;
    const maker = { caller, limits, method: METHODS[parsed.name] };
    for (;;) {
      const objects = await pendingObjects(kernel.db, bulk, BATCH);
      if (objects.length === 0) break;
      await prepare(job, operation, objects);
      await changeSome(job, { bulk, operation, maker }, objects);
    }
    const { changed, unchanged, refused, transactions } = await countOutcomes(kernel.db, bulk);
    return { bulk, changed, unchanged, refused, transactions };
  },
};
