import { TooManyRequests } from '../lib/errors.ts';

/** Seconds after which a client that was turned away may try again. */
const RETRY_AFTER = 5;

/** Lets a few pieces of work run at a time and a bounded number wait, first come, first served. */
export class WorkQueue {
  readonly #concurrency: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(concurrency: number, maxWaiting: number) {
    this.#concurrency = concurrency;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs the work when its turn comes. Throws TooManyRequests when too many are waiting. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#concurrency) this.#running += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      // The place goes to the next one directly, so that a newcomer cannot take it in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new TooManyRequests('Too many pictures are being scaled at present.', RETRY_AFTER);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
