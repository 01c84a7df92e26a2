import { defineFeature } from '#core';
import { upgradeCommand } from './command.ts';
import { getUpgrade, postUpgrade } from './endpoints.ts';
import { followSettings } from './follow-up.ts';

/** Upgrades of the site to a newer profile (`@upgrade`). */
export const upgradesFeature = defineFeature({
  name: 'upgrades',
  services: [getUpgrade, postUpgrade],
  commands: [upgradeCommand],
  subscribe: (kernel) =>
    kernel.events.on('settings.changed', (event, context) => followSettings(kernel, event, context)),
});
