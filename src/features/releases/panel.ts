import { definePanel, panelSettings, type Site, settings } from '#core';

/** Settings of releases. */
export const releasesPanel = definePanel({
  id: 'releases',
  title: 'Releases',
  group: 'Content',
  settings: [
    settings.whole('days_kept', {
      title: 'Days to keep published releases',
      description:
        'Older ones are removed. What they have changed stays, in the history and in the audit log too. 0 keeps them for ever.',
      default: 365,
      minimum: 0,
      maximum: 36_500,
      required: true,
      record: 'canopy.releases.days_kept',
    }),
    settings.flag('mail_failures', {
      title: 'Mail when a release does not go live',
      description: 'To who has made it and who has scheduled it, with the reason. Needs a mail server.',
      default: true,
      record: 'canopy.releases.mail_failures',
    }),
  ],
});

/** The settings of a site for releases. */
export const releaseSettings = (site: Site) => panelSettings(site, releasesPanel);
