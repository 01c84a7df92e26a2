import {
  accounts,
  type BackgroundWork,
  type Caller,
  claims,
  contentRows,
  type Kernel,
  type Transaction,
  transitionContent,
  withSavepoint,
} from '#core';
import { ClientError } from '#lib/errors';
import { queueRefusalMail } from './refusal-mail.ts';
import {
  type DueTransition,
  finishScheduled,
  lockDue,
  postponeScheduled,
  TRANSITIONS,
  untilNextTransition,
} from './statements.ts';

const GONE = 'The user who asked for it is gone or disabled.';
const FAILED = 'The server failed to make it. Its log says why.';

/** Makes one transition in the name of the user who scheduled it, with the present rights of this user. */
async function make(kernel: Kernel, tx: Transaction, due: DueTransition): Promise<void> {
  const { id, transition, comment, includeChildren, actor, path } = due;
  const refuse = async (reason: string): Promise<void> => {
    kernel.log.warn({ scheduled: id, path, transition, actor, reason }, 'a scheduled transition was refused');
    await finishScheduled(tx, id, reason);
    await queueRefusalMail(tx, id);
  };
  const account = actor === null ? null : await accounts.load(tx, actor);
  if (!account) return refuse(GONE);
  const caller: Caller = { ...account.caller, agent: { kind: 'scheduled-transition', id } };
  const undone = await withSavepoint(tx, async (part) => {
    await transitionContent(kernel, { caller, path, transition, comment, includeChildren }, { tx: part });
  });
  if (!undone) return finishScheduled(tx, id, null);
  // If another request has moved the content meanwhile, a later call looks it up again.
  if ((await contentRows.pathsOf(tx, [due.content])).get(due.content) !== path) return;
  const { error } = undone;
  if (error instanceof ClientError) return refuse(error.message);
  kernel.log.error({ err: error, scheduled: id, path, transition }, 'a scheduled transition failed');
  const attempts = due.attempts + 1;
  if (attempts >= TRANSITIONS.maxAttempts) return refuse(FAILED);
  await postponeScheduled(tx, id, claims.retryDelayMs(TRANSITIONS.backoff, attempts));
}

/**
 * Makes the next transition that is due, and stores its outcome in the same transaction, so that several processes make each transition once.
 * Transitions that were due while no process ran are made now. Returns whether a transition was due.
 */
export const makeDueTransition = (kernel: Kernel): Promise<boolean> =>
  kernel.db.transaction(async (tx) => {
    const due = await lockDue(tx);
    if (due) await make(kernel, tx, due);
    return due !== undefined;
  });

/** Starts a worker that makes transitions at their times until it is closed. */
export const startMakingTransitions = (kernel: Kernel): Promise<BackgroundWork> =>
  claims.startWorker({
    db: kernel.db,
    log: kernel.log,
    kind: TRANSITIONS,
    begin: async () => ((await makeDueTransition(kernel)) ? { ended: Promise.resolve() } : undefined),
    untilNext: () => untilNextTransition(kernel.db),
  });
