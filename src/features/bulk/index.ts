import { defineFeature } from '#core';
import { postBulk } from './endpoints.ts';
import { bulkAction } from './job.ts';
import { getBulk } from './report-endpoint.ts';

/** One change to many objects (`@bulk`). */
export const bulkFeature = defineFeature({
  name: 'bulk',
  services: [postBulk, getBulk],
  jobActions: [bulkAction],
  tables: [
    {
      name: 'bulk_change',
      changes: { unread: 'reports are never kept' },
      left: 'the old site makes its changes itself',
    },
    { name: 'bulk_object', changes: { unread: 'reports are never kept' }, left: 'it belongs to the changes' },
  ],
});
