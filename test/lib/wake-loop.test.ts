import { setImmediate as tick } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { startWakeLoop } from '../../src/lib/process/wake-loop.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A loop whose rounds end when the test lets them. */
function slowLoop({ wait, fails = false }: { wait?: number; fails?: boolean } = {}) {
  const ends: (() => void)[] = [];
  const errors: unknown[] = [];
  let looks = 0;
  const loop = startWakeLoop({
    intervalMs: 30_000,
    onError: (error) => errors.push(error),
    async look() {
      looks += 1;
      await new Promise<void>((resolve) => ends.push(resolve));
      if (looks === 1 && fails) throw new Error('the first look');
      return wait;
    },
  });
  const end = async () => {
    ends.shift()?.();
    await tick();
  };
  return { loop, end, errors, looks: () => looks };
}

test('a loop that is woken during a round runs one more round, however often it was woken', async () => {
  const { loop, end, looks } = slowLoop();
  expect(looks()).toBe(0);
  loop.wake();
  loop.wake();
  loop.wake();
  expect(looks()).toBe(1);
  await end();
  expect(looks()).toBe(2);
  await end();
  expect(looks()).toBe(2);
  await loop.close();
});

test('a closed loop ends after the present round, and cannot be woken', async () => {
  const { loop, end, looks } = slowLoop();
  loop.wake();
  loop.wake();
  let closed = false;
  const closing = loop.close().then(() => {
    closed = true;
  });
  await tick();
  expect([closed, loop.isClosed()]).toEqual([false, true]);
  await end();
  await closing;
  loop.wake();
  expect(looks()).toBe(1);
});

test('a loop continues after a failed round, and starts the next after the interval or sooner when a round says so', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { loop, end, errors, looks } = slowLoop({ fails: true });
  loop.wake();
  await end();
  expect(errors).toEqual([new Error('the first look')]);
  vi.advanceTimersByTime(29_999);
  expect(looks()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(looks()).toBe(2);
  await end();
  await loop.close();

  const soon = slowLoop({ wait: 1000 });
  soon.loop.wake();
  await soon.end();
  vi.advanceTimersByTime(1000);
  expect(soon.looks()).toBe(2);
  await soon.end();
  await soon.loop.close();
});
