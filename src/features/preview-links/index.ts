import { defineFeature } from '#core';
import { previewLinks } from './authenticate.ts';
import { previewLinkServices } from './endpoints.ts';

/** Links that show drafts without a login (`@preview-links`). */
export const previewLinksFeature = defineFeature({
  name: 'preview-links',
  services: previewLinkServices,
  tables: [
    {
      name: 'preview_link',
      changes: { unread: 'nothing that is asked for with a link is kept' },
      left: 'links of the old site must not open the new one',
    },
    {
      name: 'preview_link_use',
      changes: { unread: 'nothing that is asked for with a link is kept' },
      left: 'it belongs to the preview links',
    },
  ],
  authenticators: [previewLinks],
});
