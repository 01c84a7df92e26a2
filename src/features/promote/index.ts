import { defineFeature } from '#core';
import { applyCommand } from './commands/apply.ts';
import { diffCommand } from './commands/diff.ts';
import { pullCommand } from './commands/pull.ts';
import { promotionServices } from './endpoints.ts';

/** Content and set-up from site to site: as a folder, as the plan of their differences, and applied (`canopy pull`, `diff`, `apply`). */
export const promoteFeature = defineFeature({
  name: 'promote',
  services: promotionServices,
  commands: [pullCommand, diffCommand, applyCommand],
});
