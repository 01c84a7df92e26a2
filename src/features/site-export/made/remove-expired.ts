import type { BackgroundWork, Kernel } from '#core';
import { repeatWork } from '#lib/process/repeat-work';
import { MINUTE_MS } from '#lib/time/milliseconds';
import { deleteExpired, forgetPassphrases } from '../statements/made.ts';

/** Milliseconds between two rounds of a process that serves the site. */
const INTERVAL_MS = 10 * MINUTE_MS;
/** Number of exports that a round removes. */
const BATCH_SIZE = 100;

/** Removes expired exports with their files, and passphrases that are not needed any more. */
export async function removeExpired({ db, blobs }: Pick<Kernel, 'db' | 'blobs'>): Promise<void> {
  await forgetPassphrases(db);
  for (const blob of await deleteExpired(db, BATCH_SIZE)) await blobs.remove(blob);
}

/** Removes from time to time what has expired, until it is closed. */
export const startRemovingExpired = async (kernel: Kernel): Promise<BackgroundWork> =>
  repeatWork(() => removeExpired(kernel), {
    intervalMs: INTERVAL_MS,
    onError: (error) => kernel.log.error({ err: error }, 'expired exports of the site could not be removed'),
  });
