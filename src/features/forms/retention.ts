import type { JobAction } from '#core';
import { loadBatches } from '#lib/batches';
import { isJsonObject } from '#lib/json-object';
import { findForm } from './form-block.ts';
import { deleteOutlived, deleteSubmissions, keptBlocks } from './statements/submissions.ts';

/** Number of blocks that are loaded at once. */
const BATCH = 100;

/**
 * Removes submissions that are older than the retention of their block, or of the block at the time of the submission if it is gone. Returns the
 * number of removed submissions.
 */
async function wipe({ kernel, signal }: Parameters<JobAction['run']>[0]): Promise<number> {
  let removed = 0;
  const load = (last: { content: number; block: string } | undefined) => {
    signal.throwIfAborted();
    return keptBlocks(kernel.db, last ?? { content: 0, block: '' }, BATCH);
  };
  for await (const found of loadBatches(BATCH, load)) {
    const site = await kernel.sites.current();
    for (const { content, block, type, blocks } of found) {
      const fields = isJsonObject(blocks) ? { blocks } : {};
      const form = findForm(site, { type, fields }, block);
      if (!form) removed += await deleteOutlived(kernel.db, { content, block });
      else if (form.days !== undefined) removed += await deleteSubmissions(kernel.db, { content, block }, form.days);
    }
  }
  return removed;
}

/** Removes submissions that are older than the retention of their forms (`data_wipe`). */
export const wipeFormData: JobAction = {
  name: 'wipe-form-data',
  title: 'Remove old data of forms',
  description: 'Removes what was sent with forms and is older than the number of days that each form says.',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  exclusive: true,
  run: async (context) => ({ submissions: await wipe(context) }),
};
