import { defineFeature } from '#core';
import { addonsCommand } from './command.ts';
import {
  getAddon,
  getAddons,
  postImport,
  postInstallAddon,
  postUninstallAddon,
  postUpgradeAddon,
} from './endpoints.ts';

/** Add-ons of data: types, behaviors, settings and content that a Manager installs (`@addons`). */
export const addOnsFeature = defineFeature({
  name: 'add-ons',
  commands: [addonsCommand],
  services: [getAddons, getAddon, postInstallAddon, postUninstallAddon, postUpgradeAddon, postImport],
});
