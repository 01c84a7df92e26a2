import { defineFeature } from '#core';
import { importCommand } from './command.ts';

/** Imports of sites that Plone has exported (`canopy import`). */
export const importFeature = defineFeature({
  name: 'import',
  commands: [importCommand],
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
  ],
});
