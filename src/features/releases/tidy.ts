import type { BackgroundWork, JobAction, Kernel } from '#core';
import { repeatWork } from '#lib/process/repeat-work';
import { DAY_MS } from '#lib/time/milliseconds';
import { releaseSettings } from './panel.ts';
import { startPublishing } from './scheduled.ts';
import { deleteOld } from './statements/releases.ts';

/** Milliseconds between two looks of a process that serves the site. */
const INTERVAL_MS = 60 * 60_000;
/** Releases that one statement removes. */
const BATCH = 100;

/** Removes releases that were published so long ago as the panel says, in batches. Returns their number. */
export async function tidyReleases(
  kernel: Kernel,
  signal: AbortSignal,
  now = new Date(),
): Promise<{ removed: number }> {
  const { days_kept: days } = releaseSettings(await kernel.sites.current());
  let removed = 0;
  for (let count = BATCH; days > 0 && count === BATCH; removed += count) {
    signal.throwIfAborted();
    count = await deleteOld(kernel.db, new Date(now.getTime() - days * DAY_MS), BATCH);
  }
  return { removed };
}

/** Each process does so by itself, too; the job is for those that want to see what comes of it. */
export const tidyReleasesAction: JobAction = {
  name: 'tidy-releases',
  title: 'Remove old releases',
  description: 'Removes the releases that were published and kept as long as the panel "releases" says.',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  exclusive: true,
  run: ({ kernel, signal }) => tidyReleases(kernel, signal),
};

/** Publishes releases at their times, and removes old ones, until it is closed. */
export async function startReleases(kernel: Kernel): Promise<BackgroundWork> {
  const publishing = await startPublishing(kernel);
  const tidying = repeatWork((signal) => tidyReleases(kernel, signal), {
    intervalMs: INTERVAL_MS,
    onError: (error) => kernel.log.error({ err: error }, 'old releases could not be removed'),
  });
  return {
    async close() {
      await Promise.all([publishing.close(), tidying.close()]);
    },
  };
}
