import type { Database, Transaction } from '../../../database/database.ts';

/** Ends a statement of the transaction that takes longer, where the engine can: until then nothing of the transaction can be undone. */
export async function limitStatements({ engine }: Database, tx: Transaction, maxMs: number): Promise<void> {
  if (engine === 'pglite') return;
  const text = `set local statement_timeout = ${maxMs}`;
  await tx.query({ name: text, text, deferred: true });
}
