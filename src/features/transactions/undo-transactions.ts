import { type Caller, journal, type Kernel, withSavepoint } from '#core';
import { BadRequest, ClientError, type FieldProblem, ValidationFailed } from '#lib/errors';
import { RECORDER } from './recorder.ts';
import { loadTransactions, lockTransactions } from './statements/transactions.ts';
import { type StoredStep, stepsToUndo } from './steps.ts';
import { undoEdit } from './undo/edit.ts';
import { ALREADY_UNDONE, TOO_MUCH, whyFinal } from './undo/final.ts';
import { undoAliases, undoSharing, undoTranslation } from './undo/links.ts';
import { undoMove, undoOrder } from './undo/place.ts';
import { undoBringing, undoDeletion } from './undo/presence.ts';
import type { StoredStepOf, UndoContext } from './undo/undo-step.ts';
import { undoTransition } from './undo/workflow.ts';

/** Maximum number of steps of all transactions that are undone together. */
const MAX_UNDONE_STEPS = 1000;

type Undoable = Exclude<keyof journal.CoreSteps, 'settings' | 'site'>;

/** The ways to undo steps of the core. Steps of features are final. */
const UNDO: { [A in Undoable]: (context: UndoContext, step: StoredStepOf<A>) => Promise<void> } = {
  created: undoBringing,
  copied: undoBringing,
  restored: undoBringing,
  deleted: undoDeletion,
  async checkedIn(context, step) {
    // The undo of the edit gives the original its former values; the values of the copy stay in its history.
    if (context.transaction.steps.every(({ action }) => action === 'checkedIn')) rejectFinal(context, step);
  },
  edited: undoEdit,
  moved: undoMove,
  ordered: undoOrder,
  workflow: undoTransition,
  shared: undoSharing,
  translated: undoTranslation,
  async aliased(context, step) {
    if (step.data.redirects === null) rejectFinal(context, step);
    await undoAliases(context, step);
  },
};

const undoOf = <A extends Undoable>(context: UndoContext, step: StoredStepOf<A>): Promise<void> =>
  UNDO[step.action](context, step);

const isUndoable = (step: StoredStep): step is Extract<StoredStep, { action: Undoable }> =>
  Object.hasOwn(UNDO, step.action);

const undoStep = async (context: UndoContext, step: StoredStep): Promise<void> =>
  isUndoable(step) ? undoOf(context, step) : rejectFinal(context, step);

function rejectFinal({ kernel }: UndoContext, step: StoredStep): never {
  throw new BadRequest(whyFinal(kernel.slots.get(journal.STEP_KINDS), step));
}

/** Undoes all steps of one transaction, the last one first. */
async function undoOne(context: UndoContext): Promise<void> {
  const { transaction, together, checkedIn } = context;
  const { undoneBy, incomplete, steps } = transaction;
  if (undoneBy !== null && !together.includes(undoneBy)) throw new BadRequest(ALREADY_UNDONE);
  if (incomplete) throw new BadRequest(TOO_MUCH);
  for (const step of stepsToUndo(steps)) {
    // Changes of a removed working copy need no undo.
    if (step.action === 'checkedIn' || !checkedIn.has(step.content)) await undoStep(context, step);
  }
}

/**
 * Undoes transactions, the newest first, in one transaction that can be undone itself: all of them or none. Throws ValidationFailed with a message
 * for each transaction that cannot be undone; `field` is its place in `given`, in which undefined entries are skipped. `together` are others that the
 * same transaction undoes before or afterwards.
 */
export async function undoTransactions(
  kernel: Kernel,
  caller: Caller,
  given: readonly (number | undefined)[],
  { together = [] }: { together?: readonly number[] } = {},
): Promise<void> {
  const ids = [...new Set(given.filter((id) => id !== undefined))];
  await kernel.db.transaction(async (tx) => {
    if ((await lockTransactions(tx, ids)) > MAX_UNDONE_STEPS)
      throw new BadRequest('This would undo too many changes at once. Undo fewer transactions.');
    const found = await loadTransactions(tx, ids);
    const problems = new Map<number, FieldProblem>();
    const report = (id: number, message: string) =>
      problems.set(id, { field: `transaction_ids.${given.indexOf(id)}`, message });
    for (const id of ids)
      if (!found.some((transaction) => transaction.id === id)) report(id, 'There is no such transaction.');
    const checkIns = found.flatMap(({ steps }) => steps.filter(({ action }) => action === 'checkedIn'));
    const checkedIn = new Set(checkIns.map(({ content }) => content));
    for (const transaction of found) {
      const failed = await tryToUndo({
        ...{ kernel, tx, caller, transaction, together: [...ids, ...together], checkedIn },
        versionsRestored: new Map(),
      });
      if (failed) report(transaction.id, failed.message);
    }
    if (problems.size > 0) throw new ValidationFailed(ids.flatMap((id) => problems.get(id) ?? []));
    kernel.slots.get(RECORDER).undoing(tx, caller, ids);
  });
}

/** Undoes one transaction completely, or returns the error that prevents it. */
async function tryToUndo(context: UndoContext): Promise<ClientError | undefined> {
  const caller: Caller = { ...context.caller, agent: { kind: 'undo', id: String(context.transaction.id) } };
  const undone = await withSavepoint(context.tx, (tx) => undoOne({ ...context, tx, caller }));
  if (undone === undefined) return undefined;
  if (undone.error instanceof ClientError) return undone.error;
  throw undone.error;
}
