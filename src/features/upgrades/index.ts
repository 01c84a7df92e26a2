import { bringContentAction } from '../../content/bring-content.ts';
import { defineFeature } from '../../services/feature.ts';
import { upgradeCommand } from './command.ts';
import { getUpgrade, postUpgrade } from './endpoints.ts';

/** Upgrades of the site to a newer profile (`@upgrade`). */
export const upgradesFeature = defineFeature({
  name: 'upgrades',
  services: [getUpgrade, postUpgrade],
  jobActions: [bringContentAction],
  commands: [upgradeCommand],
});
