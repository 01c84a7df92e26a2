import { defineFeature } from '../../services/feature.ts';
import { addonsServices } from './services.ts';

/** Add-ons of data: types, behaviors, settings and content that a Manager installs (`@addons`). */
export const addOnsFeature = defineFeature({
  name: 'add-ons',
  services: addonsServices,
});
