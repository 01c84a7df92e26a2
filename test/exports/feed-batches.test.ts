import { describe, expect, it } from 'vitest';
import { FEED_BATCH, feedBatches } from '../../src/features/exports/feed-batches.ts';

const rows = (from: number, count: number) => Array.from({ length: count }, (_, i) => ({ path: `/${from + i}` }));

describe('the batches of a feed', () => {
  it('the batches of a feed continue after the last path until one is not full', async () => {
    const asked: (string | undefined)[] = [];
    const answers = [rows(0, FEED_BATCH), rows(FEED_BATCH, FEED_BATCH), rows(2 * FEED_BATCH, 3)];
    let total = 0;
    const read = async (after: string | undefined) => {
      asked.push(after);
      return answers[asked.length - 1] ?? [];
    };
    for await (const batch of feedBatches(read)) total += batch.length;
    expect(asked).toEqual([undefined, `/${FEED_BATCH - 1}`, `/${2 * FEED_BATCH - 1}`]);
    expect(total).toBe(2 * FEED_BATCH + 3);
  });

  it('the batches of a feed end after a full batch with nothing after it', async () => {
    const sizes: number[] = [];
    for await (const batch of feedBatches(async (after) => (after === undefined ? rows(0, FEED_BATCH) : [])))
      sizes.push(batch.length);
    expect(sizes).toEqual([FEED_BATCH]);
  });

  it('no further batches of a feed are loaded for a reader who stops', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return rows(0, FEED_BATCH);
    };
    for await (const _ of feedBatches(read)) break;
    expect(reads).toBe(1);
  });
});
