import { defineFeature } from '#core';
import { exportCommand } from './command.ts';

/** Exports of the site, whole or in part, which an import brings back (`canopy export`). */
export const siteExportFeature = defineFeature({
  name: 'site-export',
  commands: [exportCommand],
});
