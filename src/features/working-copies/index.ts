import { defineFeature } from '../../services/feature.ts';
import type { Kernel } from '../../site/kernel.ts';
import { deleteWorkingcopy, getWorkingcopy, patchWorkingcopy, postWorkingcopy, workingCopies } from './endpoints.ts';
import { canCheckOut } from './sides.ts';
import { unlinkAcross } from './statements.ts';

/**
 * Whoever removes one side of what is checked out ends it: the copy is content like any other then, the baseline is
 * free, and nothing of that comes back from the recycle bin. Both sides that go together come back together.
 */
function subscribeWorkingCopies({ events }: Pick<Kernel, 'events'>): void {
  events.on('content.removing', ({ path }, { tx }) => unlinkAcross(tx, path));
}

/** Drafts of published content that are checked in again (`@workingcopy`). */
export const workingCopiesFeature = defineFeature({
  name: 'working-copies',
  services: [getWorkingcopy, postWorkingcopy, patchWorkingcopy, deleteWorkingcopy],
  representation: [workingCopies],
  actionConditions: [
    { name: 'can_check_out', holds: (_context, { object }) => canCheckOut(object) },
    { name: 'is_working_copy', holds: (_context, { object }) => object.workingCopyOf !== null },
  ],
  subscribe: subscribeWorkingCopies,
});
