import {
  type Caller,
  type ContentEvents,
  contentPath,
  indexing,
  type Kernel,
  panels,
  profiles,
  type Site,
  type Transaction,
} from '#core';
import { enqueueJob } from '../jobs/queue.ts';

/**
 * Starts a job that brings content up to date with a new configuration. The index of viewers is updated at once, for lists too, so that readers never
 * see more than the new configuration allows.
 */
export async function followUp(
  kernel: Kernel,
  tx: Transaction,
  { change, site, actor }: { change: ReturnType<typeof profiles.followUpOf>; site: Site; actor: string | null },
): Promise<string[]> {
  const job = await profiles.planContentJob(tx, change);
  if (!job) return [];
  const { action, params, types, count } = job;
  if (types === undefined) await indexing.updateViewers(tx, site, contentPath.ROOT, []);
  await enqueueJob(kernel, tx, {
    ...{ action, params },
    title: 'Bring content up to date',
    description: '',
    ...{ scheduledJob: null, actor, asSystem: true },
  });
  const whose = types === undefined ? 'all types' : types.join(', ');
  const settled = change.states.length === 0 ? '' : `; states of their workflow for ${change.states.join(', ')}`;
  return [`A job brings content up to date: ${count} objects of ${whose}${settled}.`];
}

/** Follows up a replaced configuration; `movesContent` says that content has new states. */
export function followChange(
  kernel: Kernel,
  tx: Transaction,
  {
    before,
    after,
    caller,
    movesContent = false,
  }: { before: Site; after: Site; caller: Caller; movesContent?: boolean },
): Promise<string[]> {
  const change = profiles.followUpOf(before, after);
  return followUp(kernel, tx, {
    change: movesContent ? { ...change, reindex: 'all' } : change,
    ...{ site: after, actor: caller.id },
  });
}

/** Updates the index of events when the time zone of the site changes, because their indexed times depend on it. */
export async function followSettings(
  kernel: Kernel,
  { panels: changed, before }: ContentEvents['settings.changed'],
  { tx, caller }: { tx: Transaction; caller: Caller },
): Promise<void> {
  if (!changed.includes(panels.dateAndTime.id)) return;
  const site = await kernel.sites.within(tx);
  await followChange(kernel, tx, { before, after: site, caller });
}
