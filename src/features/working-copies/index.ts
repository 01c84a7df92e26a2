import { contentPath, defineFeature, indexing, type Kernel, type LoadedColumns, locate } from '#core';
import { workingCopiesCheck } from './check-working-copies.ts';
import { deleteWorkingcopy, getWorkingcopy, patchWorkingcopy, postWorkingcopy, workingCopies } from './endpoints.ts';
import { canCheckOut } from './sides.ts';
import { copiesAmong, unlinkAcross } from './statements.ts';

/**
 * Removing one side ends the check-out: a remaining copy becomes ordinary content, a remaining baseline is unlocked, and a
 * restored side is not linked again. Sides that are removed together stay linked and are restored together.
 */
function subscribeWorkingCopies(kernel: Kernel): void {
  kernel.events.on('content.removing', async ({ path }, { tx }) => {
    const remaining = (await unlinkAcross(tx, path)).filter((copy) => !contentPath.isAtOrBelow(copy, path));
    for (const copy of remaining) {
      const { site, resolved } = await locate(kernel, copy, tx);
      if (resolved) await indexing.updateViewers(tx, site, copy, resolved.ancestors);
    }
  });
}

/** A column of listings that is true for working copies. */
const copyColumn: LoadedColumns = {
  names: ['is_working_copy'],
  missing: { is_working_copy: null },
  load: async ({ db }, oids) => new Map((await copiesAmong(db, oids)).map((oid) => [oid, { is_working_copy: true }])),
};

/** Drafts of published content that are checked in again (`@workingcopy`). */
export const workingCopiesFeature = defineFeature({
  name: 'working-copies',
  services: [getWorkingcopy, postWorkingcopy, patchWorkingcopy, deleteWorkingcopy],
  representation: [workingCopies],
  loadedColumns: [copyColumn],
  tables: [
    {
      name: 'working_copy',
      changes: 'anything',
      key: ['copy'],
      content: 'copy',
      otherContent: ['baseline'],
      values: ['base'],
    },
  ],
  actionConditions: [
    { name: 'can_check_out', holds: (_context, { object }) => canCheckOut(object) },
    { name: 'is_working_copy', holds: (_context, { object }) => object.workingCopyOf !== null },
  ],
  siteChecks: [workingCopiesCheck],
  subscribe: subscribeWorkingCopies,
});
