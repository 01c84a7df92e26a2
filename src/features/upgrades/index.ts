import { defineFeature } from '../../services/feature.ts';
import { upgradeServices } from './services.ts';

/** Upgrades of the site to a newer profile (`@upgrade`). */
export const upgradesFeature = defineFeature({
  name: 'upgrades',
  services: upgradeServices,
});
