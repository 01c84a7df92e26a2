import { expect, test } from 'vitest';
import { createWorkQueue } from '../../src/auth/work-queue.ts';

test('no more than the bound run at once, in order, and failures give their place back', async () => {
  const queue = createWorkQueue(2, 10);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const work = (n: number) =>
    queue.run(async () => {
      started.push(n);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (n % 2) throw new Error(`work ${n}`);
      return n;
    });
  const results = await Promise.allSettled([0, 1, 2, 3, 4, 5].map(work));
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  expect(most).toBe(2);
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
  ]);
  expect(queue.idle()).toBe(true);
});

test('what does not fit the line is refused and not run', async () => {
  const queue = createWorkQueue(1, 1);
  let ran = 0;
  const work = () =>
    queue.run(async () => {
      ran += 1;
    });
  const results = await Promise.allSettled([work(), work(), work()]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(ran).toBe(2);
});
