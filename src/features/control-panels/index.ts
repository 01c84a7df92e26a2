import { defineFeature } from '../../services/feature.ts';
import { controlpanelsServices } from './controlpanels/services.ts';
import { registryServices } from './registry/services.ts';

/** The settings of the site over HTTP: `@controlpanels` and `@registry`. */
export const controlPanelsFeature = defineFeature({
  name: 'control-panels',
  services: [...controlpanelsServices, ...registryServices],
});
