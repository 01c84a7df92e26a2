import type { Queryable } from '../../../storage/database.ts';

/** Marks a point in a transaction that a failing step can be taken back to. One point at a time. */
export async function beginStep(tx: Queryable): Promise<void> {
  await tx.query({ text: 'savepoint import_step' });
}

/** Keeps what was done since `beginStep`. */
export async function keepStep(tx: Queryable): Promise<void> {
  await tx.query({ text: 'release savepoint import_step' });
}

/** Takes back what was done since `beginStep`; the transaction goes on, also after a failed statement. */
export async function undoStep(tx: Queryable): Promise<void> {
  await tx.query({ text: 'rollback to savepoint import_step' });
  await keepStep(tx);
}
