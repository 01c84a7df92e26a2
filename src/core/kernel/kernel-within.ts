import type { Transaction } from '../../database/database.ts';
import { sharingTransaction } from '../../database/shared-transaction.ts';
import type { Kernel } from './kernel.ts';

/**
 * The kernel for work that becomes wholly a part of `tx`. Each transaction of this work becomes a part of `tx` that can be undone alone. The options
 * are those of `sharingTransaction`.
 */
export function kernelWithin(
  kernel: Kernel,
  tx: Transaction,
  options: Parameters<typeof sharingTransaction>[2] = {},
): Kernel & { db: ReturnType<typeof sharingTransaction> } {
  const db = sharingTransaction(kernel.db, tx, options);
  return { ...kernel, db, sites: kernel.sites.sharing(db) };
}
