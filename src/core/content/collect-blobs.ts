import { chunks } from '../../lib/chunks.ts';
import { DAY_MS } from '../../lib/time/milliseconds.ts';
import type { BlobInfo, ListedBlob } from '../files/blobs/blob-store.ts';
import { blobsInUse } from '../files/statements/blobs.ts';
import { forgetFileTexts } from '../files/statements/file-texts.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** Milliseconds in which a writer that has stored a blob must commit a reference to it. */
export const GRACE_MS = DAY_MS;
/** Number of blobs of one statement; many, because each statement reads the whole database. */
const BATCH = 20_000;

/** The number and the bytes of some blobs. */
export type BlobCount = { blobs: number; bytes: number };

/** Result for the blobs without references; in a dry run the result that a real run would have. */
export type BlobCollection = {
  /** Blobs without a reference, which this run set aside for the next runs. */
  setAside: BlobCount;
  /** Blobs that an earlier run had set aside, and this run removed. */
  removed: BlobCount;
  /** Blobs that an earlier run had set aside, and that something refers to again. */
  takenBack: BlobCount;
};

export type CollectOptions = {
  dryRun?: boolean;
  /** Milliseconds; a day unless given. */
  grace?: number;
  now?: Date;
  /** Ends the collection between two batches by throwing the reason of the signal. */
  signal?: AbortSignal | undefined;
};

const nothing = (): BlobCount => ({ blobs: 0, bytes: 0 });

function count(counted: BlobCount, { size }: BlobInfo): void {
  counted.blobs += 1;
  counted.bytes += size;
}

/** Blobs in the order of the list, in batches, with the hashes of the blobs that something refers to. */
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
 * Removes the blobs that nothing in the database refers to, in two steps: a run sets aside the blobs that are older than the grace, and a run after
 * another grace removes them. Until then such blobs can be read, and are taken back when something refers to them again. So a writer that stores a
 * file and commits within the grace never loses the file, on any blob store and with any concurrent work. The lists of the store are read in batches,
 * one in memory at a time.
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
