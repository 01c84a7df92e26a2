import { defineFeature } from '#core';
import { getControlpanel, getControlpanels, patchControlpanel } from './control-panels.ts';
import { getRecord, getRegistry, patchRegistry } from './registry.ts';

/** The settings of the site over HTTP: `@controlpanels` and `@registry`. */
export const controlPanelsFeature = defineFeature({
  name: 'control-panels',
  services: [getControlpanels, getControlpanel, patchControlpanel, getRegistry, getRecord, patchRegistry],
});
