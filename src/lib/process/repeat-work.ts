import { startWakeLoop } from './wake-loop.ts';

/** Work that a process repeats. `close` aborts it and resolves when it has ended. */
export type RepeatedWork = { close(): Promise<void> };

/**
 * Does work every `intervalMs` milliseconds until it is closed, the first time after one interval, never twice at once. `close` aborts its signal.
 * Until then `onError` gets the errors of the work, which goes on.
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
