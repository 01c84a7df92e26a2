import { defineFeature } from '../../services/feature.ts';
import { workingCopies } from './working-copies.ts';
import { canCheckOut } from './working-copy-rights.ts';
import { subscribeWorkingCopies } from './working-copy-subscribers.ts';
import { workingcopyServices } from './workingcopy/services.ts';

/** Drafts of published content that are checked in again (`@workingcopy`). */
export const workingCopiesFeature = defineFeature({
  name: 'working-copies',
  services: workingcopyServices,
  representation: [workingCopies],
  actionConditions: [
    { name: 'can_check_out', holds: (_context, { object }) => canCheckOut(object) },
    { name: 'is_working_copy', holds: (_context, { object }) => object.workingCopyOf !== null },
  ],
  subscribe: subscribeWorkingCopies,
});
