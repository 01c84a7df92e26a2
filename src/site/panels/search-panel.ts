import { type Choices, definePanel } from '../panel.ts';
import { choice, several } from './setting-forms.ts';
import { typeChoices } from './type-choices.ts';

const ORDERS: Choices = [
  ['relevance', 'Relevance'],
  ['Date', 'Date, the newest first'],
  ['effective', 'Publication date, the newest first'],
  ['sortable_title', 'Title'],
];

/** How the site is searched by people. */
export const searchPanel = definePanel({
  id: 'search',
  title: 'Search',
  group: 'General',
  settings: [
    several('types_not_searched', {
      title: 'Content types that are not searched',
      description: 'Their content is not in the results, unless a query asks for it.',
      default: [],
      choices: typeChoices,
    }),
    choice('sort_on', {
      title: 'Order of results',
      description: 'Where a query has no order of its own.',
      default: 'relevance',
      choices: () => ORDERS,
    }),
  ],
});
