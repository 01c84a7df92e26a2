import { definePanel, settings } from 'canopy-server';

/** The control panel `example`. */
export const panel = definePanel({
  id: 'example',
  title: 'Ratings',
  group: 'Content',
  settings: [
    settings.whole('max_stars', {
      title: 'Most stars',
      description: 'How many stars somebody may give at most.',
      record: 'example.max_stars',
      default: 5,
      minimum: 1,
      maximum: 100,
    }),
  ],
});
