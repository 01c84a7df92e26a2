import { definePanel } from '../../site/panel.ts';

/** The content types. Services of its own show and change them. */
export const typesPanel = definePanel({
  id: 'dexterity-types',
  title: 'Content Types',
  group: 'Content',
  settings: [],
  searchableText: ({ types }) => [...types.values()].map(({ title }) => title),
});
