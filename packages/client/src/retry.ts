/** Limits of the repetitions of a request. */
export type RetryOptions = {
  /** Repetitions after the first attempt: 3 unless given; 0 for none. */
  attempts?: number | undefined;
  /** Maximum milliseconds between two attempts: 30 s unless given. If the server asks for more, the request is not repeated. */
  maxDelayMs?: number | undefined;
};

const FIRST_DELAY_MS = 200;

/** Milliseconds of a `Retry-After`: seconds or a date. Undefined without one. */
export function retryAfterMs(value: string | null, now = Date.now()): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/**
 * Milliseconds before the attempt after `done` failed ones: doubled each time, and spread at random so that clients do not repeat at the same time.
 */
export const backOffMs = (done: number, maxDelayMs: number): number =>
  Math.min(maxDelayMs, FIRST_DELAY_MS * 2 ** (done - 1)) * (0.5 + Math.random() / 2);

/** Waits; rejects with the reason of the signal when it is aborted. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** Waits for shared work; rejects with the reason of the signal when it is aborted, while the work continues. */
export const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
};
