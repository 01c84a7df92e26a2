import type { Caller, Kernel, Transaction } from '#core';
import { BadRequest } from '#lib/errors';
import { undoTransactions } from '../transactions/undo-transactions.ts';
import { undoSetup } from './setup-changes.ts';
import { loadSetup, type StoredRelease } from './statements/releases.ts';

/**
 * Undoes what a locked release has done, the last part first: content by its recorded transactions, and the set-up in between, because content needs
 * the types that it was written with. Throws ValidationFailed with the reasons, Conflict where the set-up was changed since, and BadRequest for a
 * release that has changed nothing.
 */
export async function undoRelease(
  kernel: Kernel,
  tx: Transaction,
  { caller, release }: { caller: Caller; release: StoredRelease },
): Promise<void> {
  const { id, transactions } = release;
  if (transactions.length === 0) throw new BadRequest('The release has changed nothing that could be undone.');
  const setup = new Map((await loadSetup(tx, id)).map((undo) => [undo.transaction, undo]));
  let run: number[] = [];
  const undoRun = async (): Promise<void> => {
    if (run.length > 0) await undoTransactions(kernel, caller, run, { together: transactions });
    run = [];
  };
  for (const transaction of transactions.toReversed()) {
    const undo = setup.get(transaction);
    if (undo === undefined) run.unshift(transaction);
    else {
      await undoRun();
      await undoSetup(kernel, caller, { release: id, undo });
    }
  }
  await undoRun();
}
