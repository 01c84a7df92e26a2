import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { type RequestContext, requests } from '#core';
import { TooManyRequests } from '#lib/errors';
import { jobRetention } from '../jobs/panel.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { RECORDER } from '../transactions/recorder.ts';
import { changeObjects, isMissing } from './apply.ts';
import { type Change, METHODS } from './change-schema.ts';
import { operationOf } from './changes/operation-of.ts';
import { BULK_ACTION } from './job.ts';
import { itemJson, type Report } from './report.ts';
import type { Selection } from './selection.ts';
import type { Outcome } from './statements.ts';
import { insertBulkChange, type NewObject } from './statements.ts';
import type { StoredData } from './stored-data.ts';

/** Maximum number of unfinished changes of one user. */
const MAX_UNFINISHED = 5;
/** Seconds after which a user with too many unfinished changes may try again. */
const RETRY_SECONDS = 60;

/** A change that a job makes. */
export const Begun = Type.Object({
  '@id': Type.String({ format: 'uri', description: 'The address of the report.' }),
  job: Type.String({ format: 'uri' }),
  total: Type.Integer({ description: 'Objects of the selection.' }),
});

/** The outcomes for texts that name no object. */
const refusedTexts = (missing: readonly string[]): (NewObject & Outcome)[] =>
  missing.map((text) => {
    const { type, message } = isMissing(text);
    return {
      uid: '',
      path: text.slice(0, 1000).toWellFormed(),
      outcome: 'refused',
      target: null,
      type,
      reason: message,
    };
  });

const countOf = (outcomes: readonly Outcome[], wanted: Outcome['outcome']): number =>
  outcomes.filter(({ outcome }) => outcome === wanted).length;

/** Makes a change at once, in one transaction. */
export async function changeNow(
  context: RequestContext,
  { parsed, bases, limits, target }: StoredData & { parsed: Change },
  { objects, missing }: Selection,
): Promise<Static<typeof Report>> {
  const { kernel, caller, site, base } = context;
  const operation = operationOf(parsed, { kernel, bases, selection: objects, target });
  await operation.prepare?.(objects);
  const maker = { caller, limits, method: METHODS[parsed.name] };
  const { outcomes, transactions } = await kernel.db.transaction(async (tx) => {
    const done: { outcomes: Outcome[]; transactions: number[] } = {
      outcomes: await changeObjects(kernel, tx, { operation, maker, objects, before: [] }),
      transactions: [],
    };
    kernel.slots.get(RECORDER).whenRecorded(tx, async (transaction) => void done.transactions.push(transaction));
    return done;
  });
  const rows = [
    ...objects.flatMap((object, at) => {
      const outcome = outcomes[at];
      return outcome ? [{ ...object, ...outcome }] : [];
    }),
    ...refusedTexts(missing),
  ];
  return {
    changed: countOf(rows, 'changed'),
    unchanged: countOf(rows, 'unchanged'),
    refused: countOf(rows, 'refused'),
    // The number of a transaction that is rolled back will be used by a later transaction.
    transactions: requests.isRehearsed(context.db) ? [] : transactions,
    items: rows.map((row) => itemJson(site, base, row)),
  };
}

/** Has a job make a change. */
export async function changeLater(
  { kernel, caller, site, base }: RequestContext,
  { parsed, ...data }: StoredData & { parsed: Change },
  { objects, missing }: Selection,
): Promise<Static<typeof Begun>> {
  const id = randomUUID();
  const actor = caller.id ?? '';
  const job = await kernel.db.transaction(async (tx) => {
    const { before } = jobRetention(site);
    const rows = [...objects, ...refusedTexts(missing)];
    if (!(await insertBulkChange(tx, { id, actor, data }, rows, { before, maxUnfinished: MAX_UNFINISHED })))
      throw new TooManyRequests(
        `You have ${MAX_UNFINISHED} changes that are not done yet. Wait for the end of one.`,
        RETRY_SECONDS,
      );
    return enqueueJob(kernel, tx, {
      ...{ action: BULK_ACTION, params: { bulk: id }, actor, asSystem: false, scheduledJob: null },
      title: `Change ${objects.length} objects: ${parsed.name}`,
      description: '',
    });
  });
  return { '@id': `${base}/@bulk/${id}`, job: `${base}/@jobs/${job}`, total: objects.length + missing.length };
}
