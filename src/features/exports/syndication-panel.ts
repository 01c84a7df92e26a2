import { definePanel, panelSettings, type SiteVocabulary, settings } from '#core';

/** The record of Plone for a setting of feeds. */
const record = (name: string): string => `Products.CMFPlone.interfaces.syndication.ISiteSyndicationSettings.${name}`;

/** The feeds of containers and collections (`RSS`). */
export const syndicationPanel = definePanel({
  id: 'syndication',
  title: 'Syndication',
  group: 'General',
  settings: [
    settings.flag('allowed', {
      title: 'Feeds',
      description: 'Whether containers and collections have feeds at all.',
      default: true,
      record: record('allowed'),
    }),
    settings.flag('default_enabled', {
      title: 'Feeds of all containers',
      description: 'Whether each container and each collection has a feed.',
      default: true,
      record: record('default_enabled'),
    }),
    settings.whole('max_items', {
      title: 'Items of a feed',
      description: 'How many of the newest items a feed has.',
      default: 15,
      minimum: 1,
      maximum: 500,
      required: true,
      record: record('max_items'),
    }),
    settings.list('allowed_feed_types', {
      title: 'Kinds of feeds',
      description: 'One a line, name|title. Canopy has the kind RSS; others are kept for clients of Plone.',
      default: ['RSS|RSS', 'rss.xml|RSS 2.0', 'atom.xml|Atom', 'itunes.xml|iTunes'],
      record: record('allowed_feed_types'),
      problem: (line) =>
        /^[^|]+\|[^|]+$/.test(line) ? undefined : `"${line}" must have the form name|title, such as RSS|RSS 2.0.`,
    }),
    settings.flag('show_author_info', {
      title: 'Authors in feeds',
      description: 'Whether the items of feeds name the creators of content.',
      default: true,
      record: record('show_author_info'),
    }),
    settings.flag('render_body', {
      title: 'Whole texts in feeds',
      description: 'Whether the items of feeds have the texts of content, beside its description.',
      default: false,
      record: record('render_body'),
    }),
  ],
});

/** The kinds of feeds by their names. */
export const feedTypes: SiteVocabulary = {
  names: ['plone.app.vocabularies.SyndicationFeedTypes'],
  terms: (site) =>
    panelSettings(site, syndicationPanel).allowed_feed_types.map((line) => {
      const [token = '', title = token] = line.split('|');
      return { token, title };
    }),
};
