import { definePanel, MANAGE_PORTAL, panelSettings, type Site, settings } from '#core';

/** Settings for pausing failing webhooks. */
export const webhooksPanel = definePanel({
  id: 'webhooks',
  title: 'Webhooks',
  group: 'Content',
  permission: MANAGE_PORTAL,
  settings: [
    settings.whole('pause_hours', {
      title: 'Hours of failures after which a webhook is paused',
      description:
        'A webhook whose every attempt has failed for so long is paused, and Managers get a mail. 0 pauses it only when a message was tried for three days.',
      default: 24,
      minimum: 0,
      maximum: 72,
      required: true,
      record: 'canopy.webhooks.pause_hours',
    }),
  ],
});

const HOUR_SECONDS = 3600;

/** Says if a webhook has to be paused after so many seconds in which every attempt has failed. */
export function hasFailedLong(site: Site, seconds: number): boolean {
  const { pause_hours } = panelSettings(site, webhooksPanel);
  return pause_hours > 0 && seconds >= pause_hours * HOUR_SECONDS;
}
