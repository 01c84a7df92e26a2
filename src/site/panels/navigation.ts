import { type Choices, definePanel } from '../panel.ts';
import type { Site } from '../site.ts';
import { choice, flag, lines, several } from './setting-forms.ts';

/** The content types of a site, by title. */
export const typeChoices = ({ types }: Site): Choices =>
  [...types.values()].map(({ id, title }): [string, string] => [id, title]).sort(([, a], [, b]) => a.localeCompare(b));

/** The states of all workflows; those of one name are one. */
const stateChoices = ({ workflows }: Site): Choices => [
  ...new Map(
    [...workflows.values()].flatMap(({ states }) => Object.entries(states).map(([id, { title }]) => [id, title])),
  ),
];

/** What is wrong with lines `title|description|address`. */
function itemsProblem(text: string): string | undefined {
  const wrong = text.split('\n').findIndex((row) => {
    const [title = '', , address = ''] = row.split('|').map((part) => part.trim());
    return row.trim() !== '' && (title === '' || !/^(?:\/|https?:\/\/)/.test(address));
  });
  return wrong === -1
    ? undefined
    : `Line ${wrong + 1} must be title|description|address, with an address that begins with / or https://.`;
}

/** What the navigation shows. */
export const navigationPanel = definePanel({
  id: 'navigation',
  title: 'Navigation',
  group: 'General',
  settings: [
    several('displayed_types', {
      title: 'Displayed content types',
      description: 'Content of other types is not in the navigation.',
      default: [],
      choices: typeChoices,
    }),
    lines('additional_items', {
      title: 'Additional items',
      description: 'Entries before all others: one a line, title|description|address.',
      default: '',
      record: 'canopy.navigation.additional_items',
      problem: itemsProblem,
    }),
    flag('show_excluded_items', {
      title: 'Show excluded items on the way',
      description: 'What is excluded from the navigation is in it while somebody looks at it or at something below it.',
      default: false,
    }),
    flag('filter_on_workflow', {
      title: 'Filter by workflow state',
      description: 'Whether only content in the states below is shown.',
      default: false,
    }),
    several('workflow_states_to_show', {
      title: 'Shown workflow states',
      description: 'They count where the filter is on.',
      default: [],
      choices: stateChoices,
    }),
  ],
});

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
