import type { Transaction } from '../../database/database.ts';
import { isJsonObject } from '../../lib/json-object.ts';
import type { JobContext } from './kernel.ts';

/** A change of much data in small parts. `K` are keys in ascending order, such as numbers of objects. */
export type Batches<K extends string | number> = {
  /** Distinguishes several changes of one job. */
  name?: string;
  /** The number of keys of one transaction; 200 unless given. */
  size?: number;
  /** The number of keys, for the progress. */
  count(tx: Transaction): Promise<number>;
  /** The next keys behind `after`, at most `limit`, in ascending order. */
  select(tx: Transaction, after: K | undefined, limit: number): Promise<K[]>;
  /** Changes the data of these keys. */
  change(tx: Transaction, keys: K[]): Promise<void>;
};

const BATCH = 200;

type Place = { after?: unknown; done: number; total: number };

const isPlace = (value: unknown): value is Place =>
  isJsonObject(value) && typeof value.done === 'number' && typeof value.total === 'number';

/**
 * Changes data in batches, each in one transaction that also stores the progress of the job. A job whose process dies goes on behind the last
 * committed batch, so no batch is done twice. Returns the number of all keys, also from before an interruption.
 */
export async function runInBatches<K extends string | number>(
  context: JobContext,
  { name = 'batches', size = BATCH, count, select, change }: Batches<K>,
): Promise<number> {
  let total: number | undefined;
  for (;;) {
    context.signal.throwIfAborted();
    const step = await context.step(async (tx, checkpoint) => {
      const stored = checkpoint[name];
      const place = isPlace(stored) ? stored : undefined;
      total ??= place?.total ?? (await count(tx));
      const keys = await select(tx, place?.after as K | undefined, size);
      const last = keys.at(-1);
      const done = (place?.done ?? 0) + keys.length;
      if (last === undefined) return { checkpoint, done, total: Math.max(done, total), over: true };
      await change(tx, keys);
      const next = { after: last, done, total };
      return { checkpoint: { ...checkpoint, [name]: next }, done, total: Math.max(done, total), over: false };
    });
    if (step.over) return step.done;
  }
}
