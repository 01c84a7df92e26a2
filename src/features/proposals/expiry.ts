import { type BackgroundWork, callers, type JobAction, type Kernel } from '#core';
import { repeatWork } from '#lib/process/repeat-work';
import { DAY_MS, HOUR_MS } from '#lib/time/milliseconds';
import { queueDecisionMail } from './mail.ts';
import { proposalSettings } from './panel.ts';
import { deleteEnded, expireProposals } from './statements/proposals.ts';

/** Milliseconds between two looks of a process that serves the site. */
const INTERVAL_MS = HOUR_MS;
/** Proposals that one transaction ends or removes. */
const BATCH = 100;

/** Ends the proposals that have waited for too long, and removes old ones that are decided, in batches. Returns their numbers. */
export async function tidyProposals(
  kernel: Kernel,
  signal: AbortSignal,
  now = new Date(),
): Promise<{ expired: number; removed: number }> {
  const site = await kernel.sites.current();
  const { days_pending: pending, days_kept: kept } = proposalSettings(site);
  const ago = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
  const done = { expired: 0, removed: 0 };
  for (let count = BATCH; pending > 0 && count === BATCH; done.expired += count) {
    signal.throwIfAborted();
    count = await kernel.db.transaction(async (tx) => {
      const ended = await expireProposals(tx, { before: ago(pending), now, limit: BATCH });
      for (const { id, creator, path } of ended) {
        const event = { id, change: 'expired' as const, creator, path };
        await kernel.events.emit('proposal.changed', event, { tx, caller: callers.system() });
        await queueDecisionMail(tx, kernel, site, { proposal: { id, creator }, by: null });
      }
      return ended.length;
    });
  }
  for (let count = BATCH; kept > 0 && count === BATCH; done.removed += count) {
    signal.throwIfAborted();
    count = await deleteEnded(kernel.db, ago(kept), BATCH);
  }
  return done;
}

/** Each process does so by itself, too; the job is for those that want to see what comes of it. */
export const tidyProposalsAction: JobAction = {
  name: 'tidy-proposals',
  title: 'End and remove old proposals',
  description:
    'Ends the proposals that have waited, and removes the decided ones that were kept, as long as the panel "proposals" says.',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  exclusive: true,
  run: ({ kernel, signal }) => tidyProposals(kernel, signal),
};

/** Tidies proposals from time to time until it is closed. */
export const startTidying = async (kernel: Kernel): Promise<BackgroundWork> =>
  repeatWork((signal) => tidyProposals(kernel, signal), {
    intervalMs: INTERVAL_MS,
    onError: (error) => kernel.log.error({ err: error }, 'old proposals could not be ended or removed'),
  });
