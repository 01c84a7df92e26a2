import { defineFeature } from '../../services/feature.ts';
import { icsViewServices } from './ics-view/services.ts';
import { markdownViewServices } from './markdown-view/services.ts';
import { rssViewServices } from './rss-view/services.ts';
import { exportServices } from './services.ts';

/** Content in other forms: JSON for export, Markdown, RSS, iCalendar. */
export const exportsFeature = defineFeature({
  name: 'exports',
  services: [...exportServices, ...icsViewServices, ...markdownViewServices, ...rssViewServices],
});
