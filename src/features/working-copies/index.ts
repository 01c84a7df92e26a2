import type { Kernel } from '../../kernel/kernel.ts';
import { defineFeature } from '../../services/feature.ts';
import { deleteWorkingcopy, getWorkingcopy, patchWorkingcopy, postWorkingcopy, workingCopies } from './endpoints.ts';
import { canCheckOut } from './sides.ts';
import { unlinkAcross } from './statements.ts';

/**
 * Removing one side ends the check-out: a remaining copy becomes ordinary content, a remaining baseline is unlocked, and a
 * restored side is not linked again. Sides that are removed together stay linked and are restored together.
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
