import type { BackgroundWork, Kernel } from '#core';
import { repeatWork } from '#lib/process/repeat-work';
import { deleteOldPlans } from '../statements/plans.ts';
import { PLAN_STAYS_MS } from './plan-json.ts';

/** Milliseconds between two looks of a process that serves the site. */
const INTERVAL_MS = 60 * 60_000;
/** Plans that one statement removes, each with all of its entries. */
const BATCH = 5;

/** Removes plans that nothing has happened to for a week, in batches. Returns their number. */
export async function removeOldPlans(kernel: Kernel, signal: AbortSignal, now = new Date()): Promise<number> {
  let removed = 0;
  for (let count = BATCH; count === BATCH; removed += count) {
    signal.throwIfAborted();
    count = await deleteOldPlans(kernel.db, new Date(now.getTime() - PLAN_STAYS_MS), BATCH);
  }
  return removed;
}

/** Removes old plans from time to time, until it is closed. */
export const startRemoving = async (kernel: Kernel): Promise<BackgroundWork> =>
  repeatWork((signal) => removeOldPlans(kernel, signal), {
    intervalMs: INTERVAL_MS,
    onError: (error) => kernel.log.error({ err: error }, 'old plans could not be removed'),
  });
