import type { Site } from '../site/site.ts';
import { definePanel, panelSettings } from './panel.ts';
import { flag } from './setting-forms.ts';

/** What the dates of publication do. */
export const publishingPanel = definePanel({
  id: 'publishing',
  title: 'Publishing',
  group: 'Content',
  settings: [
    flag('hide_inactive_content', {
      title: 'Dates of publication act',
      description:
        'Whether content is hidden before its publishing date and after its expiration date from all who may not change it, at its own address, too. Off: only lists leave it out.',
      default: false,
    }),
  ],
});

/** Whether content is hidden before and after its dates of publication. */
export const datesAct = (site: Pick<Site, 'settings'>): boolean =>
  panelSettings(site, publishingPanel).hide_inactive_content;

/**
 * Whether content is hidden by its dates from whoever may not change it. The root of the site never is: nobody could come in.
 */
export const isHiddenByDates = (
  site: Pick<Site, 'settings'>,
  { inTime, path }: { inTime: boolean; path: string },
): boolean => !inTime && path !== '/' && datesAct(site);
