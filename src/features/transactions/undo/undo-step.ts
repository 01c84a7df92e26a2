import {
  type Caller,
  contentRows,
  has,
  type journal,
  type Kernel,
  locateForWrite,
  type ResolvedNode,
  reject,
  type Site,
  type Transaction,
} from '#core';
import { BadRequest, Conflict } from '#lib/errors';
import type { StoredTransaction } from '../statements/transactions.ts';
import type { StoredAt, StoredStep } from '../steps.ts';

/** The context in which a step is undone. */
export type UndoContext = {
  kernel: Kernel;
  tx: Transaction;
  caller: Caller;
  /** The transaction of the step. */
  transaction: StoredTransaction;
  /** The numbers of all transactions that are undone together. */
  together: readonly number[];
  /** The numbers of the removed working copies whose check-in is undone together with the transaction. */
  checkedIn: ReadonlySet<number | null>;
  /** The newest versions of objects that the transaction has deleted, from the recycle bin. */
  versionsRestored: Map<number, number | null>;
};

/** A stored step of one kind. */
export type StoredStepOf<A extends journal.StepAction> = journal.StepOf<A> & StoredAt;

/** The comment of an undo in the history. */
export const noteOf = ({ transaction }: UndoContext): string => `Undo of transaction ${transaction.id}.`;

/** Locks and returns the object of a step. Throws BadRequest when the object is gone, and Forbidden without one of the permissions. */
export async function requireObject(
  { kernel, tx, caller }: UndoContext,
  { content, path }: Pick<StoredStep, 'content' | 'path'>,
  permissions: readonly string[],
): Promise<{ site: Site; resolved: ResolvedNode }> {
  const now = content === null ? undefined : (await contentRows.pathsOf(tx, [content])).get(content);
  if (now === undefined) throw new BadRequest(`${path} does not exist any more.`);
  const { site, resolved } = await locateForWrite(kernel, now, tx, 'change');
  if (resolved?.object.oid !== content) throw new Conflict('Other requests keep moving the same content. Try again.');
  for (const permission of permissions)
    if (!has(site, caller, resolved, permission)) reject(caller, `You may not undo this at ${now}.`);
  return { site, resolved };
}
