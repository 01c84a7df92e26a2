import { defineFeature } from '#core';
import { exportCommand } from './command.ts';
import { EXPORT_SERVICES } from './made/endpoints.ts';
import { exportAction } from './made/export-job.ts';
import { startRemovingExpired } from './made/remove-expired.ts';

/** Exports of the site or a part of it, which can be imported again (`canopy export`, `@exports`). */
export const siteExportFeature = defineFeature({
  name: 'site-export',
  commands: [exportCommand],
  services: EXPORT_SERVICES,
  jobActions: [exportAction],
  tables: [
    {
      name: 'site_export',
      changes: { unread: 'exports are never kept' },
      left: 'what was exported is downloaded from the old site',
      local: true,
    },
  ],
  start: startRemovingExpired,
});
