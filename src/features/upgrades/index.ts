import { defineFeature } from '../../services/feature.ts';
import { getUpgrade, postUpgrade } from './endpoints.ts';

/** Upgrades of the site to a newer profile (`@upgrade`). */
export const upgradesFeature = defineFeature({
  name: 'upgrades',
  services: [getUpgrade, postUpgrade],
});
