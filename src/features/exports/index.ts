import { defineFeature, negotiation } from '#core';
import { containerFeedServices } from './container-feed.ts';
import { exportServices } from './endpoints.ts';
import { llmsServices } from './llms-endpoint.ts';
import { getMarkdown, markdownMaker } from './markdown-endpoint.ts';
import { siteFileServices } from './site-files.ts';
import { feedTypes, syndicationPanel } from './syndication-panel.ts';

/** Content in other forms: JSON for export, Markdown, RSS, iCalendar, and the files for crawlers. */
export const exportsFeature = defineFeature({
  name: 'exports',
  services: [...exportServices, getMarkdown, ...containerFeedServices, ...siteFileServices, ...llmsServices],
  panels: [syndicationPanel],
  vocabularies: [feedTypes],
  subscribe: (kernel) => kernel.slots.set(negotiation.MARKDOWN, markdownMaker(kernel)),
});
