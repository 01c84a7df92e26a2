import { defineFeature } from '#core';
import { releaseServices } from './endpoints.ts';
import { releaseEvents } from './events.ts';
import { linkServices } from './link-endpoints.ts';
import { releaseMails } from './mail.ts';
import { noteMovedStates } from './moved-states.ts';
import { releasesPanel } from './panel.ts';
import { partServices } from './part-endpoints.ts';
import { releasePreview } from './preview.ts';
import { publishServices } from './publish-endpoints.ts';
import { RELEASE_PERMISSIONS } from './rights.ts';
import { startReleases, tidyReleasesAction } from './tidy.ts';

const LEFT = 'they begin from states of the old site';
const UNREAD = { unread: 'releases are never kept' } as const;

/** Named sets of changes that go live at once (`@releases`). */
export const releasesFeature = defineFeature({
  name: 'releases',
  services: [...releaseServices, ...partServices, ...publishServices, ...linkServices],
  panels: [releasesPanel],
  events: releaseEvents,
  mails: releaseMails,
  tables: [
    { name: 'release', changes: UNREAD, left: LEFT },
    { name: 'release_part', changes: UNREAD, left: 'it belongs to the releases' },
    { name: 'release_former_state', changes: UNREAD, left: 'it belongs to the releases' },
    { name: 'release_target', changes: UNREAD, left: 'it belongs to the releases' },
    {
      name: 'release_link',
      changes: { unread: 'nothing that is asked for with a link is kept' },
      left: 'links of the old site must not open the new one',
    },
  ],
  previews: [releasePreview],
  jobActions: [tidyReleasesAction],
  permissions: RELEASE_PERMISSIONS,
  subscribe: noteMovedStates,
  start: startReleases,
});
