import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WorkQueue } from '../../src/images/work-queue.ts';
import { TooManyRequests } from '../../src/lib/errors.ts';

/** Work that runs until `finish` is called. */
function work() {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { run: () => done, finish };
}

describe('WorkQueue', () => {
  it('runs no more at a time than it may, in the order of the calls', async () => {
    const queue = new WorkQueue(2, 10);
    let [running, most] = [0, 0];
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        queue.run(async () => {
          order.push(i);
          running += 1;
          most = Math.max(most, running);
          await tick();
          running -= 1;
        }),
      ),
    );
    expect(most).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('turns away what exceeds the places to wait, and takes work again later', async () => {
    const queue = new WorkQueue(1, 1);
    const first = work();
    const [running, waiting] = [queue.run(first.run), queue.run(async () => 'second')];
    await expect(queue.run(async () => 'third')).rejects.toThrow(TooManyRequests);
    first.finish();
    await running;
    expect(await waiting).toBe('second');
    expect(await queue.run(async () => 'fourth')).toBe('fourth');
  });

  it('goes on after work that failed', async () => {
    const queue = new WorkQueue(1, 1);
    await expect(queue.run(async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run(async () => 'next')).toBe('next');
  });
});
