import { defineFeature, type JobAction, type Kernel, publishing } from '#core';
import { purgeOutdated } from './access.ts';
import { binCheck } from './check-bin.ts';
import { deleteEntry, deleteRecyclebin, getEntry, getRecyclebin, postRestore } from './endpoints.ts';
import { isRecycling, recyclebinPanel } from './panel.ts';
import { storeRecycled } from './statements/entries.ts';

/** Purges old entries. Every deletion does so too; the job is for sites without deletions. */
const purgeRecyclebin: JobAction = {
  name: 'purge-recyclebin',
  title: 'Remove old entries of the recycle bin',
  description: 'Removes for good what is in the recycle bin for longer than its "retention_period".',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  exclusive: true,
  run: async ({ kernel }) => ({ entries: await purgeOutdated(kernel) }),
};

/**
 * Stores deleted content if the recycle bin of the site is on, and purges old entries. It has to be the last subscriber: it stores the rows of other
 * subscribers after they have changed or removed them.
 */
function storeDeletions(kernel: Kernel): void {
  kernel.events.on('content.removing', async ({ oid, path, site, recyclable }, { tx, caller }) => {
    if (!recyclable || !isRecycling(site)) return;
    await storeRecycled(tx, { oid, path, deletedBy: caller.id ?? '', rule: publishing.viewRuleOf(site) });
    tx.afterCommit(() => purgeOutdated(kernel).then(() => undefined));
  });
}

/** Deleted content that can be restored (`@recyclebin`). */
export const recycleBinFeature = defineFeature({
  name: 'recycle-bin',
  services: [getRecyclebin, getEntry, postRestore, deleteRecyclebin, deleteEntry],
  panels: [recyclebinPanel],
  tables: [
    { name: 'recycled', changes: { unread: 'the recycle bin is never kept' }, key: ['id'] },
    {
      name: 'recycled_object',
      changes: { unread: 'the recycle bin is never kept' },
      key: ['entry', 'path'],
      values: ['data'],
    },
    { name: 'recycled_row', changes: { unread: 'the recycle bin is never kept' }, key: ['ctid'], values: ['data'] },
  ],
  jobActions: [purgeRecyclebin],
  siteChecks: [binCheck],
  subscribe: storeDeletions,
});
