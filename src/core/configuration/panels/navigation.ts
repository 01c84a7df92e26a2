import type { Site } from '../site/site.ts';
import { type Choices, definePanel } from './panel.ts';
import { choice, flag, line, lines, list, several, whole } from './setting-forms.ts';

/** The content types of a site, by title. */
export const typeChoices = ({ types }: Site): Choices =>
  [...types.values()].map(({ id, title }): [string, string] => [id, title]).sort(([, a], [, b]) => a.localeCompare(b));

/** The states of all workflows; states of the same name are one term. */
const stateChoices = ({ workflows }: Site): Choices => [
  ...new Map(
    [...workflows.values()].flatMap(({ states }) => Object.entries(states).map(([id, { title }]) => [id, title])),
  ),
];

/** Returns the problem of lines `title|description|address`; undefined for correct ones. */
function itemsProblem(text: string): string | undefined {
  const wrong = text.split('\n').findIndex((row) => {
    const [title = '', , address = ''] = row.split('|').map((part) => part.trim());
    return row.trim() !== '' && (title === '' || !/^(?:\/|https?:\/\/)/.test(address));
  });
  return wrong === -1
    ? undefined
    : `Line ${wrong + 1} must be title|description|address, with an address that begins with / or https://.`;
}

const TAB_ORDERS: Choices = [
  ['getObjPositionInParent', 'Position in the container'],
  ['sortable_title', 'Title'],
  ['getId', 'Short name'],
];

/** Content and order of the navigation. */
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
    flag('opens_all_branches', {
      title: 'Side navigation with all branches',
      description: 'Off: only the way to the visitor and what lies in the same place are open, as in Plone.',
      default: true,
      record: 'canopy.navigation.opens_all_branches',
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
    flag('generate_tabs', {
      title: 'Entries for content',
      description: 'Off: the navigation has only the tabs and the additional items.',
      default: true,
    }),
    flag('nonfolderish_tabs', {
      title: 'Entries for content that is no container',
      description: 'Off: only containers are on the first level of the navigation.',
      default: true,
    }),
    choice('sort_tabs_on', {
      title: 'Order of the first level',
      description: 'What the first level of the navigation is sorted by.',
      default: 'getObjPositionInParent',
      choices: () => TAB_ORDERS,
    }),
    flag('sort_tabs_reversed', {
      title: 'First level in reverse order',
      description: 'Whether the last entry of the first level comes first.',
      default: false,
    }),
    line('root', {
      title: 'Root of the navigation',
      description: 'The path of the content whose navigation the site has, such as /en. A slash is the site itself.',
      default: '/',
      required: true,
      problem: (path) => (path.startsWith('/') ? undefined : 'Must begin with a slash.'),
    }),
    list('parent_types_not_to_query', {
      title: 'Types that hide what they hold',
      description: 'What lies in content of these types is not in the navigation.',
      default: ['TempFolder'],
    }),
  ],
});

const ORDERS: Choices = [
  ['relevance', 'Relevance'],
  ['Date', 'Date, the newest first'],
  ['effective', 'Publication date, the newest first'],
  ['sortable_title', 'Title'],
];

/** The weight of a word for the order of results, by the part of the object that contains it. */
const weight = <N extends string>(name: N, form: { title: string; default: number }) =>
  whole(name, {
    ...form,
    description: 'How much a word there counts for the order by relevance, from 0 to 100.',
    record: `canopy.search.${name}`,
    minimum: 0,
    maximum: 100,
  });

/** Settings of the search for visitors. */
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
    weight('weight_title', { title: 'Weight of titles', default: 100 }),
    weight('weight_description', { title: 'Weight of descriptions', default: 40 }),
    weight('weight_text', { title: 'Weight of texts', default: 20 }),
    weight('weight_files', { title: 'Weight of texts in files', default: 10 }),
  ],
});
