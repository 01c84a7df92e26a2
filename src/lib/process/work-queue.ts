import { TooManyRequests } from '../errors.ts';

/** The bounds of a queue, and what is said to those who do not fit. */
export type WorkQueueOptions = {
  /** Maximum number that run at once. */
  concurrency: number;
  /** Maximum number that wait. */
  maxWaiting: number;
  /** The message for clients when the line is full. */
  refusal: string;
  /** Seconds after which a client that was turned away may try again. */
  retryAfter: number;
};

/** Runs work with a bound on what runs at once and on what waits. */
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
      // The one that finishes hands its place on, so `running` stays as it is and no newcomer takes it.
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
