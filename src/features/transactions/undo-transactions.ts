import type { Kernel } from '../../kernel/kernel.ts';
import { BadRequest, ClientError, type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import type { Transaction } from '../../storage/database.ts';
import { withSavepoint } from '../../storage/savepoint.ts';
import { RECORDER } from './recorder.ts';
import { loadTransactions, lockTransactions } from './statements/transactions.ts';
import { BRINGING, type StoredStep } from './steps.ts';
import { undoEdit } from './undo/edit.ts';
import { undoSharing, undoTranslation } from './undo/links.ts';
import { undoMove, undoOrder } from './undo/place.ts';
import { undoBringing, undoDeletion } from './undo/presence.ts';
import type { UndoContext } from './undo/undo-step.ts';
import { undoTransition } from './undo/workflow.ts';

/** Steps of all transactions that are undone together. */
const MAX_UNDONE_STEPS = 1000;

async function undoStep(context: UndoContext, step: StoredStep): Promise<void> {
  switch (step.action) {
    case 'created':
    case 'copied':
    case 'restored':
      return undoBringing(context, step);
    case 'deleted':
      return undoDeletion(context, step);
    case 'edited':
      return undoEdit(context, step);
    case 'moved':
      return undoMove(context, step);
    case 'ordered':
      return undoOrder(context, step);
    case 'workflow':
      return undoTransition(context, step);
    case 'shared':
      return undoSharing(context, step);
    case 'translated':
      return undoTranslation(context, step);
    case 'commented':
      throw new BadRequest(`A comment on ${step.path} cannot be undone.`);
    case 'settings':
      throw new BadRequest('Settings cannot be undone here: change them in their control panel.');
    case 'user':
      throw new BadRequest('Changes of users cannot be undone.');
    case 'site':
      throw new BadRequest('Changes of users, groups and the set-up of the site cannot be undone here.');
  }
}

/** Undoes all steps of one transaction, the last one first. */
async function undoOne(context: UndoContext): Promise<void> {
  const { transaction, together } = context;
  const { undoneBy, incomplete, steps } = transaction;
  if (undoneBy !== null && !together.includes(undoneBy)) throw new BadRequest('This has been undone already.');
  if (incomplete) throw new BadRequest('This has changed too much at once to be undone.');
  // What goes takes along whatever else was done to it.
  const brought = new Set(steps.filter(({ action }) => BRINGING.has(action)).map(({ content }) => content));
  for (const step of [...steps].reverse())
    if (BRINGING.has(step.action) || !brought.has(step.content)) await undoStep(context, step);
}

/**
 * Undoes transactions, the newest first, in one transaction that can be undone itself: all of them or none. Throws
 * ValidationFailed with a message for each that cannot be undone; `field` is its place in `given`.
 */
export async function undoTransactions(kernel: Kernel, caller: Caller, given: readonly number[]): Promise<void> {
  const ids = [...new Set(given)];
  await kernel.db.transaction(async (tx) => {
    if ((await lockTransactions(tx, ids)) > MAX_UNDONE_STEPS)
      throw new BadRequest('This would undo too many changes at once. Undo fewer transactions.');
    const found = await loadTransactions(tx, ids);
    const problems = new Map<number, FieldProblem>();
    const report = (id: number, message: string) =>
      problems.set(id, { field: `transaction_ids.${given.indexOf(id)}`, message });
    for (const id of ids)
      if (!found.some((transaction) => transaction.id === id)) report(id, 'There is no such transaction.');
    for (const transaction of found) {
      const failed = await tryToUndo(kernel, tx, caller, { transaction, together: ids });
      if (failed) report(transaction.id, failed.message);
    }
    if (problems.size > 0) throw new ValidationFailed(ids.flatMap((id) => problems.get(id) ?? []));
    kernel.slots.get(RECORDER).undoing(tx, caller, ids);
  });
}

/** Undoes one transaction, or nothing of it: then it returns why. */
async function tryToUndo(
  kernel: Kernel,
  tx: Transaction,
  caller: Caller,
  { transaction, together }: Pick<UndoContext, 'transaction' | 'together'>,
): Promise<ClientError | undefined> {
  const undone = await withSavepoint(tx, (part) => undoOne({ kernel, tx: part, caller, transaction, together }));
  if (undone === undefined) return undefined;
  if (undone.error instanceof ClientError) return undone.error;
  throw undone.error;
}
