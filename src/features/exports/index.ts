import { defineFeature } from '#core';
import { containerFeedServices } from './container-feed.ts';
import { exportServices } from './endpoints.ts';
import { siteFileServices } from './site-files.ts';
import { feedTypes, syndicationPanel } from './syndication-panel.ts';

/** Content in other forms: JSON for export, Markdown, RSS, iCalendar, and what crawlers read. */
export const exportsFeature = defineFeature({
  name: 'exports',
  services: [...exportServices, ...containerFeedServices, ...siteFileServices],
  panels: [syndicationPanel],
  vocabularies: [feedTypes],
});
