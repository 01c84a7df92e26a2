import { defineFeature } from '#core';
import { applyCommand } from './commands/apply.ts';
import { diffCommand } from './commands/diff.ts';
import { pullCommand } from './commands/pull.ts';
import { promotionServices } from './endpoints.ts';
import { applyAction } from './stored/apply-stored.ts';
import { storedPlanServices } from './stored/endpoints.ts';
import { startRemoving } from './stored/tidy.ts';

const UNREAD = { unread: 'plans are never kept' } as const;

/** Content and set-up from site to site: as a folder, as the plan of their differences, and applied (`canopy pull`, `diff`, `apply`). */
export const promoteFeature = defineFeature({
  name: 'promote',
  services: [...promotionServices, ...storedPlanServices],
  jobActions: [applyAction],
  commands: [pullCommand, diffCommand, applyCommand],
  tables: [
    { name: 'plan', changes: UNREAD, left: 'plans are made for the old site' },
    { name: 'plan_entry', changes: UNREAD, left: 'it belongs to the plans' },
    { name: 'plan_file', changes: UNREAD, left: 'it belongs to the plans' },
  ],
  start: startRemoving,
});
