import { chunks } from '../../lib/chunks.ts';
import { DAY_MS } from '../../lib/time/milliseconds.ts';
import type { BlobInfo, ListedBlob } from '../files/blobs/blob-store.ts';
import { blobsInUse } from '../files/statements/blobs.ts';
import { forgetFileTexts } from '../files/statements/file-texts.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** Milliseconds in which a writer that has stored a blob must commit a reference to it. */
export const GRACE_MS = DAY_MS;
/** Blobs that one statement looks for, because each statement reads the whole database. */
const BATCH = 20_000;

/** Some blobs: how many, and their bytes. */
export type BlobCount = { blobs: number; bytes: number };

/** Result for the blobs without references; in a dry run the result that a real run would have. */
export type BlobCollection = {
  /** Nothing refers to them: they are out of use and kept for the next runs. */
  setAside: BlobCount;
  /** They were set aside by an earlier run, and are gone now. */
  removed: BlobCount;
  /** They were set aside by an earlier run, and something has come to refer to them. */
  takenBack: BlobCount;
};

export type CollectOptions = {
  dryRun?: boolean;
  /** Milliseconds; a day unless given. */
  grace?: number;
  now?: Date;
  /** Ends it between two batches, by throwing its reason. */
  signal?: AbortSignal | undefined;
};

const nothing = (): BlobCount => ({ blobs: 0, bytes: 0 });

function count(counted: BlobCount, { size }: BlobInfo): void {
  counted.blobs += 1;
  counted.bytes += size;
}

/** Blobs as they come, in batches, with the hashes of those that something refers to. */
export async function* withUse(
  { db }: Pick<Kernel, 'db'>,
  blobs: AsyncIterable<ListedBlob>,
  signal?: AbortSignal,
): AsyncGenerator<{ batch: ListedBlob[]; used: ReadonlySet<string> }> {
  for await (const batch of chunks(blobs, BATCH)) {
    signal?.throwIfAborted();
    const hashes = batch.map(({ hash }) => hash);
    yield { batch, used: await blobsInUse(db, hashes) };
  }
}

/** The blobs that were stored before some time. */
export async function* older(blobs: AsyncIterable<ListedBlob>, than: Date): AsyncGenerator<ListedBlob> {
  for await (const blob of blobs) if (blob.since < than) yield blob;
}

/**
 * Removes the blobs that nothing in the database refers to, in two steps: a run sets aside those that were not stored
 * within the grace, and a run after another grace removes them. Meanwhile they can be read, and come back when
 * something refers to them again. So who stores a file and commits within the grace never loses it, on any blob store
 * and whatever runs at the same time. Only lists of the store are read, and batches of them held.
 */
export async function collectBlobs(
  kernel: Pick<Kernel, 'db' | 'blobs'>,
  { dryRun = false, grace = GRACE_MS, now = new Date(), signal }: CollectOptions = {},
): Promise<BlobCollection> {
  const { blobs } = kernel;
  const collected: BlobCollection = { setAside: nothing(), removed: nothing(), takenBack: nothing() };
  const before = new Date(now.getTime() - grace);
  for await (const { batch, used } of withUse(kernel, blobs.listAside(), signal)) {
    for (const blob of batch) {
      if (used.has(blob.hash)) {
        if (!dryRun) await blobs.takeBack(blob.hash);
        count(collected.takenBack, blob);
      } else if (blob.since < before) {
        if (!dryRun) {
          await blobs.discard(blob.hash);
          await forgetFileTexts(kernel.db, [blob.hash]);
        }
        count(collected.removed, blob);
      }
    }
  }
  for await (const { batch, used } of withUse(kernel, older(blobs.list(), before), signal)) {
    for (const blob of batch) {
      if (used.has(blob.hash)) continue;
      if (dryRun || (await blobs.setAside(blob.hash, before))) count(collected.setAside, blob);
    }
  }
  return collected;
}
