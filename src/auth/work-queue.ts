import { TooManyRequests } from '../lib/errors.ts';

/** Runs work with a bound on what runs at once and on what waits. */
export type WorkQueue = {
  /**
   * Runs `work` when there is room, in the order of the calls.
   * @throws TooManyRequests when the line is full; the work is not run then.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Whether nothing runs and nothing waits. */
  idle(): boolean;
};

/** A queue that runs at most `concurrency` works at once, while at most `maxWaiting` more wait. */
export function createWorkQueue(concurrency: number, maxWaiting: number): WorkQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < concurrency) running += 1;
      else if (waiting.length >= maxWaiting) throw new TooManyRequests('Too many logins at once. Try again.', 1);
      // The one that finishes hands its place on, so `running` stays as it is.
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
    idle: () => running === 0 && waiting.length === 0,
  };
}
