import type { BackgroundWork, JobAction, Kernel } from '#core';
import { chunks } from '#lib/chunks';
import { repeatWork } from '#lib/process/repeat-work';
import { DAY_MS, MINUTE_MS } from '#lib/time/milliseconds';
import { deleteUpload, expiredUploads, knownUploads } from './statements.ts';

/** Number of uploads that are loaded at once. */
const BATCH_SIZE = 100;
/** Milliseconds between two rounds of a process that serves the site. */
const INTERVAL_MS = 10 * MINUTE_MS;

/** Milliseconds after which parts without a row of an upload never get one. */
const GRACE_MS = DAY_MS;

/** Removes uploads that have expired, with their parts. Returns their number. */
async function removeExpired({ db, blobs }: Pick<Kernel, 'db' | 'blobs'>, signal: AbortSignal): Promise<number> {
  for (let removed = 0; ; ) {
    const expired = await expiredUploads(db, BATCH_SIZE);
    for (const upload of expired) {
      signal.throwIfAborted();
      // The parts are removed first, because the row is found again after a failure, and parts without a row are not.
      await blobs.uploads.discard(upload);
      if (await deleteUpload(db, upload.id)) removed += 1;
    }
    if (expired.length < BATCH_SIZE) return removed;
  }
}

/** Removes parts of uploads that are not in the database, such as after a crash. Returns the number of uploads. */
async function removeUnknown({ db, blobs }: Pick<Kernel, 'db' | 'blobs'>, signal: AbortSignal): Promise<number> {
  let removed = 0;
  for await (const ids of chunks(blobs.uploads.list(new Date(Date.now() - GRACE_MS)), BATCH_SIZE)) {
    signal.throwIfAborted();
    const known = await knownUploads(db, ids);
    for (const id of ids.filter((one) => !known.has(one))) {
      await blobs.uploads.discard({ id, handle: '' });
      removed += 1;
    }
  }
  return removed;
}

/** Removes the parts of an upload that has ended. A failure is logged; a later round removes the parts. */
export async function discardParts(
  { blobs, log }: Pick<Kernel, 'blobs' | 'log'>,
  upload: { id: string; handle: string },
): Promise<void> {
  try {
    await blobs.uploads.discard(upload);
  } catch (error) {
    log.warn({ err: error }, 'the parts of an upload could not be removed yet');
  }
}

/** Each process removes uploads by itself, too; the job reports the result. */
export const removeUploads: JobAction = {
  name: 'remove-uploads',
  title: 'Remove uploads that were given up',
  description: 'Removes uploads that have not gone on for longer than "expire_hours", and parts that belong to none.',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  exclusive: true,
  async run({ kernel, signal }) {
    return { expired: await removeExpired(kernel, signal), unknown: await removeUnknown(kernel, signal) };
  },
};

/** Removes expired uploads from time to time until it is closed. */
export const startRemoving = async (kernel: Kernel): Promise<BackgroundWork> =>
  repeatWork((signal) => removeExpired(kernel, signal), {
    intervalMs: INTERVAL_MS,
    onError: (error) => kernel.log.error({ err: error }, 'expired uploads could not be removed'),
  });
