import {
  type BackgroundWork,
  type Caller,
  type Kernel,
  loadAccount,
  pathOf,
  type Transaction,
  transitionWithin,
  withSavepoint,
} from '#core';
import { ClientError } from '#lib/errors';
import { startWakeLoop } from '#lib/process/wake-loop';
import { queueRefusalMail } from './refusal-mail.ts';
import {
  type DueTransition,
  finishScheduled,
  lockDue,
  nextDueIn,
  postponeScheduled,
  SCHEDULE_CHANNEL,
} from './statements.ts';

/** How often one is tried at which the server fails, and the seconds between two attempts, by their number. */
const MAX_ATTEMPTS = 5;
const PAUSES_SECONDS = [10, 60, 600, 3600];
/** Milliseconds between two looks when nobody tells of anything, and the shortest wait. */
const LOOK_EVERY_MS = 30_000;
const MIN_WAIT_MS = 50;

const GONE = 'The user who asked for it is gone or disabled.';
const FAILED = 'The server failed to make it. Its log says why.';

/** Makes one transition in the name of whoever asked for it, with the rights that the user has now. */
async function make(kernel: Kernel, tx: Transaction, due: DueTransition): Promise<void> {
  const { id, transition, comment, includeChildren, actor, path } = due;
  const refuse = async (reason: string): Promise<void> => {
    kernel.log.warn({ scheduled: id, path, transition, actor, reason }, 'a scheduled transition was refused');
    await finishScheduled(tx, id, reason);
    await queueRefusalMail(tx, id);
  };
  const account = actor === null ? null : await loadAccount(tx, actor);
  if (!account) return refuse(GONE);
  const caller: Caller = { ...account.caller, agent: { kind: 'scheduled-transition', id } };
  const undone = await withSavepoint(tx, async (part) => {
    await transitionWithin(kernel, part, { caller, path, transition, comment, includeChildren });
  });
  if (!undone) return finishScheduled(tx, id, null);
  // Another request has moved it meanwhile: it is looked up again.
  if ((await pathOf(tx, due.content)) !== path) return;
  const { error } = undone;
  if (error instanceof ClientError) return refuse(error.message);
  kernel.log.error({ err: error, scheduled: id, path, transition }, 'a scheduled transition failed');
  if (due.attempts + 1 >= MAX_ATTEMPTS) return refuse(FAILED);
  await postponeScheduled(tx, id, PAUSES_SECONDS[due.attempts] ?? LOOK_EVERY_MS / 1000);
}

/**
 * Makes all transitions that are due, each in a transaction with the note that it is done: any number of processes may do
 * so, and each is made once. What was missed while no process ran is made now. Returns milliseconds until the next one is due.
 */
export async function makeDueTransitions(kernel: Kernel, isOver = () => false): Promise<number | undefined> {
  const { db } = kernel;
  const next = async (tx: Transaction): Promise<boolean> => {
    const due = await lockDue(tx);
    if (due) await make(kernel, tx, due);
    return due !== undefined;
  };
  while (!isOver() && (await db.transaction(next)));
  const wait = await nextDueIn(db);
  return wait === undefined ? undefined : Math.max(MIN_WAIT_MS, wait);
}

/** Makes transitions at their times until it is closed. */
export async function startMakingTransitions(kernel: Kernel): Promise<BackgroundWork> {
  const loop = startWakeLoop({
    intervalMs: LOOK_EVERY_MS,
    onError: (error) => kernel.log.error({ err: error }, 'looking for scheduled transitions failed'),
    look: () => makeDueTransitions(kernel, loop.isClosed),
  });
  const stopListening = await kernel.db.listen(SCHEDULE_CHANNEL, () => loop.wake());
  loop.wake();
  return {
    async close() {
      const last = loop.close();
      await stopListening();
      await last;
    },
  };
}
