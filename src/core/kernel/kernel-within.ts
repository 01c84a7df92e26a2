import type { Transaction } from '../../database/database.ts';
import { sharingTransaction } from '../../database/shared-transaction.ts';
import type { Kernel } from './kernel.ts';

/**
 * The kernel for work that would make transactions of its own and is to be a part of `tx` as a whole: each of these is a part that can be
 * undone alone. Options as of `sharingTransaction`.
 */
export function kernelWithin(
  kernel: Kernel,
  tx: Transaction,
  options: Parameters<typeof sharingTransaction>[2] = {},
): Kernel & { db: ReturnType<typeof sharingTransaction> } {
  const db = sharingTransaction(kernel.db, tx, options);
  return { ...kernel, db, sites: kernel.sites.sharing(db) };
}
