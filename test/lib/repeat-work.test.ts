import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { repeatWork } from '../../src/lib/process/repeat-work.ts';

it('work is repeated after a failure, which is reported, and broken off by close, which is no failure', async () => {
  const errors: unknown[] = [];
  let times = 0;
  const work = repeatWork(
    async (signal) => {
      times += 1;
      if (times === 1) throw new Error('first');
      await sleep(60_000, undefined, { signal });
    },
    { intervalMs: 10, onError: (error) => errors.push(error) },
  );
  expect(times).toBe(0);
  await expect.poll(() => times).toBe(2);
  await work.close();
  expect(errors).toEqual([new Error('first')]);
  expect(times).toBe(2);
});
