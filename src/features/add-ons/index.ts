import { defineFeature } from '../../services/feature.ts';
import { getAddon, getAddons, postAddons, postImport, postUpgradeAddon } from './endpoints.ts';

/** Add-ons of data: types, behaviors, settings and content that a Manager installs (`@addons`). */
export const addOnsFeature = defineFeature({
  name: 'add-ons',
  services: [getAddons, getAddon, ...postAddons, postUpgradeAddon, postImport],
});
