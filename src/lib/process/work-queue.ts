import { TooManyRequests } from '../errors.ts';

/** The limits of a queue, and the message of rejections. */
export type WorkQueueOptions = {
  /** Maximum number that run at once. */
  concurrency: number;
  /** Maximum number that wait. */
  maxWaiting: number;
  /** The message for clients when the line is full. */
  refusal: string;
  /** Seconds after which a rejected client may try again. */
  retryAfter: number;
};

/** Runs work with limits for running and for waiting work. */
export type WorkQueue = {
  /**
   * Runs `work` when there is room, in the order of the calls.
   * @throws TooManyRequests when the line is full; the work is not run then.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** True if nothing runs or waits. */
  idle(): boolean;
  /** The number that wait. */
  waiting(): number;
};

/** A queue, first come, first served. */
export function createWorkQueue({ concurrency, maxWaiting, refusal, retryAfter }: WorkQueueOptions): WorkQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < concurrency) running += 1;
      else if (waiting.length >= maxWaiting) throw new TooManyRequests(refusal, retryAfter);
      // Finished work passes its place on, so `running` stays the same and no newcomer takes the place.
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
    waiting: () => waiting.length,
  };
}
