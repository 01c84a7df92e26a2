import { type Viewers, ViewRule } from '../../search/statements/view-rule.ts';
import type { Caller } from '../../security/caller.ts';
import type { Site } from '../site/site.ts';
import type { SiteCache } from '../site/site-cache.ts';
import { definePanel, panelSettings } from './panel.ts';
import { flag } from './setting-forms.ts';

/** Effect of the dates of publication. */
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

/** Says if content is hidden before and after its dates of publication. */
export const datesAct = (site: Pick<Site, 'settings'>): boolean =>
  panelSettings(site, publishingPanel).hide_inactive_content;

/** The rule by which statements of the site select content that a caller may view. */
export const viewRuleOf = (site: Pick<Site, 'settings'>): ViewRule => ViewRule.of(datesAct(site));

/**
 * The rule of the site that the process loaded last, for work that begins before the site is looked up. An unknown site hides content by its dates.
 */
export const lastViewRule = ({ last }: Pick<SiteCache, 'last'>): ViewRule =>
  ViewRule.of(last === undefined || datesAct(last));

/** The data of a caller by which statements select content that the caller may view. */
export const viewersOf = (site: Pick<Site, 'settings'>, { principals }: Pick<Caller, 'principals'>): Viewers => ({
  principals,
  rule: viewRuleOf(site),
});

/**
 * Says if its dates hide content from users who may not change it. The root of the site is never hidden: otherwise the site could
 * not be entered.
 */
export const isHiddenByDates = (
  site: Pick<Site, 'settings'>,
  { inTime, path }: { inTime: boolean; path: string },
): boolean => !inTime && path !== '/' && datesAct(site);
