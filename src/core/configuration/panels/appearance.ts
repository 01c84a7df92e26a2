import { scaleChoices } from './content.ts';
import type { Choices } from './panel.ts';
import { choice, flag, kept, line, lines, list, picture } from './setting-forms.ts';

const VISIBILITY: Choices = [
  ['false', 'Never'],
  ['enabled', 'Always'],
  ['authenticated', 'For users who are logged in'],
];

const scale = <N extends string>(name: N, title: string, fallback: string) =>
  choice(name, { ...kept, title, default: fallback, choices: scaleChoices });

/** Longest favicon, as text. */
const MAX_ICON_LENGTH = 700_000;

/** How Plone's pages look: settings of its panel `site` that front ends may follow. */
export const APPEARANCE = [
  picture('site_favicon', { ...kept, title: 'Favicon', maxLength: MAX_ICON_LENGTH }),
  line('site_favicon_mimetype', { ...kept, title: 'Media type of the favicon', default: 'image/vnd.microsoft.icon' }),
  flag('exposeDCMetaTags', { ...kept, title: 'Dublin Core in pages', default: false }),
  lines('webstats_head_js', { ...kept, title: 'Scripts in the head of pages', default: '' }),
  lines('webstats_js', { ...kept, title: 'Scripts at the end of pages', default: '' }),
  flag('display_publication_date_in_byline', { ...kept, title: 'Publication date in the byline', default: false }),
  choice('icon_visibility', { ...kept, title: 'Icons in listings', default: 'enabled', choices: () => VISIBILITY }),
  choice('thumb_visibility', { ...kept, title: 'Pictures in listings', default: 'enabled', choices: () => VISIBILITY }),
  flag('no_thumbs_portlet', { ...kept, title: 'No pictures in portlets', default: false }),
  flag('no_thumbs_lists', { ...kept, title: 'No pictures in lists', default: false }),
  flag('no_thumbs_summary', { ...kept, title: 'No pictures in summaries', default: false }),
  flag('no_thumbs_tables', { ...kept, title: 'No pictures in tables', default: false }),
  scale('thumb_scale_portlet', 'Scale of pictures in portlets', 'icon'),
  scale('thumb_scale_listing', 'Scale of pictures in lists', 'thumb'),
  scale('thumb_scale_table', 'Scale of pictures in tables', 'tile'),
  scale('thumb_scale_summary', 'Scale of pictures in summaries', 'mini'),
  choice('toolbar_position', {
    ...kept,
    title: 'Place of the toolbar',
    default: 'side',
    choices: () => [
      ['side', 'At the side'],
      ['top', 'At the top'],
    ],
  }),
  line('toolbar_logo', { ...kept, title: 'Logo of the toolbar', default: '/++plone++static/plone-toolbarlogo.svg' }),
  list('default_page', {
    ...kept,
    title: 'Names of default pages',
    default: ['index_html', 'index.html', 'index.htm', 'FrontPage'],
  }),
  // Plone asks for one of them in its classic forms only, not in its REST API: unless a site says otherwise, all users have one.
  list('roles_allowed_to_add_keywords', {
    title: 'Roles that may add tags',
    description: 'Others choose from the tags that content has already.',
    default: ['Manager', 'Site Administrator', 'Reviewer', 'Authenticated', 'Anonymous'],
  }),
] as const;
