import type { BackgroundWork, Kernel } from '#core';
import { repeatWork } from '#lib/process/repeat-work';
import { DAY_MS, MINUTE_MS } from '#lib/time/milliseconds';
import { deleteOldReports, expiredExports, findExportRow, forgetFile, isBusy } from '../statements/uploaded.ts';

/** Milliseconds between two rounds of a process that serves the site. */
const INTERVAL_MS = 10 * MINUTE_MS;
/** Milliseconds for which the report of an import stays. */
const REPORT_MS = 90 * DAY_MS;
/** Number of uploaded exports that a round removes. */
const BATCH_SIZE = 100;

/** Removes the file of an uploaded export, unless a job has begun to need it meanwhile. */
async function removeFile({ db, blobs }: Pick<Kernel, 'db' | 'blobs'>, id: string): Promise<void> {
  const blob = await db.transaction(async (tx) => {
    const stored = await findExportRow(tx, id, true);
    if (!stored || stored.blob === null || stored.expires > new Date() || (await isBusy(tx, id))) return null;
    await forgetFile(tx, id);
    return stored.blob;
  });
  if (blob !== null) await blobs.remove(blob);
}

/** Removes the files of uploaded exports that have expired, and reports that are old. */
export async function removeExpired(kernel: Pick<Kernel, 'db' | 'blobs'>, signal?: AbortSignal): Promise<void> {
  for (const id of await expiredExports(kernel.db, BATCH_SIZE)) {
    signal?.throwIfAborted();
    await removeFile(kernel, id);
  }
  await deleteOldReports(kernel.db, new Date(Date.now() - REPORT_MS), BATCH_SIZE);
}

/** Removes from time to time what has expired, until it is closed. */
export const startRemovingExpired = async (kernel: Kernel): Promise<BackgroundWork> =>
  repeatWork((signal) => removeExpired(kernel, signal), {
    intervalMs: INTERVAL_MS,
    onError: (error) => kernel.log.error({ err: error }, 'expired exports could not be removed'),
  });
