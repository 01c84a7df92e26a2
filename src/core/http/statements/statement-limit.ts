import type { Database, Transaction } from '../../../database/database.ts';

/** Ends longer statements of the transaction, if the engine can: a transaction cannot be rolled back while a statement runs. */
export async function limitStatements({ engine }: Database, tx: Transaction, maxMs: number): Promise<void> {
  if (engine === 'pglite') return;
  const text = `set local statement_timeout = ${maxMs}`;
  await tx.query({ name: text, text, deferred: true });
}
