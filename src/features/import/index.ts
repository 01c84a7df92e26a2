import { defineFeature } from '../../services/feature.ts';
import { importCommand } from './command.ts';

/** Imports of sites that Plone has exported (`canopy import`). */
export const importFeature = defineFeature({
  name: 'import',
  commands: [importCommand],
});
