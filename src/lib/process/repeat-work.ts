import { startWakeLoop } from './wake-loop.ts';

/** Work that a process does again and again. `close` breaks it off and resolves when it has ended. */
export type RepeatedWork = { close(): Promise<void> };

/**
 * Does work every `intervalMs` milliseconds until it is closed, one time after the other, the first time after one interval. Its
 * signal is aborted by `close`. `onError` gets what the work throws before that; the next time comes all the same.
 */
export function repeatWork(
  work: (signal: AbortSignal) => Promise<unknown>,
  { intervalMs, onError }: { intervalMs: number; onError(error: unknown): void },
): RepeatedWork {
  const stop = new AbortController();
  const loop = startWakeLoop({
    intervalMs,
    async look() {
      await work(stop.signal);
      return undefined;
    },
    onError(error) {
      if (!stop.signal.aborted) onError(error);
    },
  });
  return {
    async close() {
      stop.abort();
      await loop.close();
    },
  };
}
