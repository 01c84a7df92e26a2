import { forward, type Kernel } from '#core';
import { RECORDER } from './recorder.ts';

/**
 * A kernel whose transactions are noted by the numbers under which they are recorded: for work that is several of them within one, such as the
 * parts of a release. Those that record nothing are not noted.
 */
export function notingTransactions(kernel: Kernel, note: (transaction: number) => void): Kernel {
  const around = kernel.db;
  const recorder = kernel.slots.get(RECORDER);
  const db = forward(around, {
    transaction: (work, options) =>
      around.transaction(async (tx) => {
        const result = await work(tx);
        recorder.whenRecorded(tx, async (transaction) => note(transaction));
        return result;
      }, options),
  });
  return { ...kernel, db: 'origin' in around ? Object.assign(db, { origin: around.origin }) : db };
}
