import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TooManyRequests } from '../../src/lib/errors.ts';
import { createWorkQueue } from '../../src/lib/process/work-queue.ts';

const WORDS = { refusal: 'Too much at once.', retryAfter: 7 };

/** Work that runs until `finish` is called. */
function work() {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { run: () => done, finish };
}

test('a work queue runs no more than its limit at once, in the order of the calls, and failures free their place', async () => {
  const queue = createWorkQueue({ concurrency: 2, maxWaiting: 10, ...WORDS });
  const started: number[] = [];
  let [running, most] = [0, 0];
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5].map((n) =>
      queue.run(async () => {
        started.push(n);
        running += 1;
        most = Math.max(most, running);
        await tick();
        running -= 1;
        if (n % 2) throw new Error(`work ${n}`);
        return n;
      }),
    ),
  );
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  expect(most).toBe(2);
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual([
    0,
    'work 1',
    2,
    'work 3',
    4,
    'work 5',
  ]);
  expect(queue.idle()).toBe(true);
});

test('a full work queue rejects work with its message, and accepts later work', async () => {
  const queue = createWorkQueue({ concurrency: 1, maxWaiting: 1, ...WORDS });
  const first = work();
  let ran = false;
  const [running, waiting] = [queue.run(first.run), queue.run(async () => 'second')];
  const refused: unknown = await queue
    .run(async () => {
      ran = true;
    })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(TooManyRequests);
  expect(refused).toMatchObject({ status: 429, message: WORDS.refusal, retryAfter: WORDS.retryAfter });
  expect([ran, queue.idle()]).toEqual([false, false]);
  first.finish();
  await running;
  expect(await waiting).toBe('second');
  expect(await queue.run(async () => 'fourth')).toBe('fourth');
  expect(queue.idle()).toBe(true);
});

test('a work queue without waiting places accepts only what runs at once', async () => {
  const queue = createWorkQueue({ concurrency: 1, maxWaiting: 0, ...WORDS });
  const first = work();
  const running = queue.run(first.run);
  await expect(queue.run(async () => 'second')).rejects.toThrow(TooManyRequests);
  first.finish();
  await running;
});
