/** Jobs that a page waits for. */

import { useEffect } from 'react';
import type { Loaded } from './data.ts';
import { ask } from './site.ts';

export type Job = {
  uuid: string;
  status: string;
  finished: string | null;
  progress: { done: number; total: number } | null;
  error: string | null;
};

/** Milliseconds between two looks at a running job. */
const LOOK_MS = 1000;

export const isRunning = (job: Job | null): boolean => job !== null && job.finished === null;

/** Ends a job. */
export const abortJob = async ({ uuid }: Job): Promise<void> => {
  await ask('POST', `@jobs/${uuid}/abort`, { body: {} });
};

/** Loads data again from time to time while a job of theirs runs. */
export function useLooks<T>({ data, reload }: Loaded<T>, isBusy: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer begins the next wait
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(reload, LOOK_MS);
    return () => clearTimeout(timer);
  }, [data, isBusy, reload]);
}
