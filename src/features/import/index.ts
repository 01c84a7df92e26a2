import { defineFeature } from '#core';
import { importCommand } from './command.ts';
import { IMPORT_SERVICES } from './uploaded/endpoints.ts';
import { importAction } from './uploaded/import-job.ts';
import { getImportLines } from './uploaded/lines-endpoint.ts';
import { startRemovingExpired } from './uploaded/remove-expired.ts';

/** Imports of sites that Plone, other systems or this server have exported (`canopy import`, `@imports`). */
export const importFeature = defineFeature({
  name: 'import',
  commands: [importCommand],
  services: [...IMPORT_SERVICES, getImportLines],
  jobActions: [importAction],
  tables: [
    {
      name: 'import_progress',
      changes: { unread: 'imports alone read it' },
      left: 'it tells how far imports into the old site have come',
    },
    {
      name: 'import_base',
      changes: { unread: 'imports alone read it' },
      left: "it has Plone's exports as they were imported, for imports of newer ones into the old site",
    },
    {
      name: 'site_import',
      changes: { unread: 'uploaded exports are never kept' },
      left: 'what was uploaded is imported by the old site',
      local: true,
    },
    {
      name: 'site_import_line',
      changes: { unread: 'reports are never kept' },
      left: 'it belongs to the uploaded exports',
      local: true,
    },
  ],
  start: startRemovingExpired,
});
