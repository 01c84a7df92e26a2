import { defineFeature } from '#core';
import { exportCommand } from './command.ts';

/** Exports of the site or a part of it, which can be imported again (`canopy export`). */
export const siteExportFeature = defineFeature({
  name: 'site-export',
  commands: [exportCommand],
});
