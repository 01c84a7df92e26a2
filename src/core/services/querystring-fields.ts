import type { Site } from '../configuration/site/site.ts';
import type { OfferedIndex } from '../search/catalog-index.ts';
import type { IndexKind } from '../types/index-kinds.ts';

/** An operation as the editor of queries shows it. `widget` edits the value; null for operations without one. */
export type Operator = { title: string; description: string; operation: string; widget: string | null };

const operator = (operation: string, widget: string | null, title: string, description = ''): Operator => ({
  title,
  description,
  operation: `plone.app.querystring.queryparser._${operation}`,
  widget,
});

const MANY = 'MultipleSelectionWidget';
const TEXT = 'StringWidget';
const DAYS = 'RelativeDateWidget';
const IN_DAYS = 'Please enter the number in days.';
const AS_DATE = 'Please use YYYY-MM-DD.';

/** The operations that queries may use, without their common prefix, as plone.app.querystring describes them. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  'string.is': operator('equal', TEXT, 'Is'),
  'string.isNot': operator('excludes', TEXT, 'Is not'),
  'string.contains': operator('contains', TEXT, 'Contains'),
  'string.currentUser': operator('currentUser', null, 'Current logged in user', 'The user who sees the results'),
  'string.showInactive': operator(
    'showInactive',
    MANY,
    'Show Inactive',
    'Permissions decide who sees inactive content.',
  ),
  'string.absolutePath': operator('absolutePath', 'ReferenceWidget', 'Absolute path', 'Location in the site structure'),
  'string.path': operator('navigationPath', 'ReferenceWidget', 'Navigation path', 'Location below the navigation root'),
  'string.relativePath': operator(
    'relativePath',
    'RelativePathWidget',
    'Relative path',
    "Use '../' to navigate to parent objects.",
  ),
  'selection.any': operator('contains', MANY, 'Matches any of'),
  'selection.all': operator('all', MANY, 'Matches all of'),
  'selection.none': operator('excludes', MANY, 'Matches none of'),
  'reference.is': operator('referenceIs', 'ReferenceWidget', 'Equals'),
  'boolean.isTrue': operator('isTrue', null, 'Yes'),
  'boolean.isFalse': operator('isFalse', null, 'No'),
  'int.is': operator('intEqual', TEXT, 'Equals'),
  'int.lessThan': operator('intLessThan', TEXT, 'Less than'),
  'int.largerThan': operator('intLargerThan', TEXT, 'Larger than'),
  'date.lessThan': operator('dateLessThan', 'DateWidget', 'Before date', AS_DATE),
  'date.largerThan': operator('dateLargerThan', 'DateWidget', 'After date', AS_DATE),
  'date.between': operator('dateBetween', 'DateRangeWidget', 'Between dates', AS_DATE),
  'date.lessThanRelativeDate': operator('lessThanRelativeDate', DAYS, 'Within next', IN_DAYS),
  'date.largerThanRelativeDate': operator('moreThanRelativeDate', DAYS, 'Within last', IN_DAYS),
  'date.today': operator('today', null, 'Today', 'The current day'),
  'date.beforeToday': operator('beforeToday', null, 'Before today', 'Before the present time'),
  'date.afterToday': operator('afterToday', null, 'After today', 'After the present time'),
  'date.beforeRelativeDate': operator('beforeRelativeDate', DAYS, 'Before relative Date', 'Before N days in the past'),
  'date.afterRelativeDate': operator('afterRelativeDate', DAYS, 'After relative Date', 'After N days in the future'),
};

/** An index as the editor of queries offers it. */
export type QueryField = {
  title: string;
  description: string;
  group: string;
  enabled: boolean;
  sortable: boolean;
  vocabulary: string | null;
  /** Values to choose from, for fields without a vocabulary. */
  choices?: readonly [token: string, title: string][];
  /** Names of `OPERATORS`. */
  operations: readonly string[];
};

const DATE_OPERATIONS = [
  'date.lessThan',
  'date.largerThan',
  'date.between',
  'date.lessThanRelativeDate',
  'date.largerThanRelativeDate',
  'date.today',
  'date.beforeToday',
  'date.afterToday',
  'date.beforeRelativeDate',
  'date.afterRelativeDate',
];
const BOOLEAN_OPERATIONS = ['boolean.isTrue', 'boolean.isFalse'];
const INTEGER_OPERATIONS = ['int.is', 'int.lessThan', 'int.largerThan'];
const KEYWORD_OPERATIONS = ['selection.any', 'selection.all', 'selection.none'];
const CHOICE_OPERATIONS = ['selection.any', 'selection.none'];
const REFERENCE_OPERATIONS = ['reference.is'];
const TEXT_OPERATIONS = ['string.is', 'string.isNot'];
const CONTAINS = ['string.contains'];

const field = (
  group: QueryField['group'],
  title: string,
  description: string,
  operations: readonly string[],
  more: Partial<QueryField> = {},
): QueryField => ({ title, description, group, enabled: true, sortable: false, vocabulary: null, operations, ...more });

const date = (title: string, description: string) =>
  field('Dates', title, description, DATE_OPERATIONS, { sortable: true });
const HIDDEN = { enabled: false };

/** The fields of plone.app.querystring (plone.restapi §6.4), in the order of their names. */
export const QUERY_FIELDS: Readonly<Record<string, QueryField>> = {
  Creator: field(
    'Metadata',
    'Creator',
    'The person that created an item',
    ['string.currentUser', 'selection.any', 'selection.none'],
    { sortable: true, vocabulary: 'plone.app.vocabularies.Users' },
  ),
  Description: field('Text', 'Description', "An item's description", CONTAINS),
  SearchableText: field('Text', 'Searchable text', "Text search of an item's contents", CONTAINS),
  Subject: field('Text', 'Tag', 'Tags are used for organization of content', KEYWORD_OPERATIONS, {
    vocabulary: 'plone.app.vocabularies.Keywords',
  }),
  Title: field('Text', 'Title', "Text search of an item's title", CONTAINS),
  created: date('Creation date', 'The date an item was created'),
  effective: date('Effective date', 'The time and date an item was first published'),
  effectiveRange: field('Dates', 'Effective range', 'The time in which an item is public', [], HIDDEN),
  end: date('Event end date', 'The end date and time of an event'),
  expires: date('Expiration date', 'The time and date an item was expired'),
  getId: field('Metadata', 'Short name (id)', 'The short name of an item (used in the url)', TEXT_OPERATIONS, {
    sortable: true,
  }),
  getObjPositionInParent: field(
    'Metadata',
    'Order in folder',
    'The order of an item in its parent folder',
    INTEGER_OPERATIONS,
    { ...HIDDEN, sortable: true },
  ),
  getRawRelatedItems: field(
    'Metadata',
    'Related To',
    'Find items related to the selected items',
    REFERENCE_OPERATIONS,
    HIDDEN,
  ),
  isDefaultPage: field(
    'Metadata',
    'Default Page',
    'Find items that are the default view for their containing folder.',
    BOOLEAN_OPERATIONS,
    HIDDEN,
  ),
  isFolderish: field(
    'Metadata',
    'Folder-like',
    'Find items that can contain other objects',
    BOOLEAN_OPERATIONS,
    HIDDEN,
  ),
  modified: date('Modification date', 'The time and date an item was last modified'),
  path: field('Metadata', 'Location', 'The location of an item', [
    'string.absolutePath',
    'string.path',
    'string.relativePath',
  ]),
  portal_type: field('Metadata', 'Type', "An item's type (e.g. Event)", CHOICE_OPERATIONS, {
    vocabulary: 'plone.app.vocabularies.ReallyUserFriendlyTypes',
  }),
  review_state: field('Metadata', 'Review state', "An item's workflow state (e.g. published)", CHOICE_OPERATIONS, {
    sortable: true,
    vocabulary: 'plone.app.vocabularies.WorkflowStates',
  }),
  show_inactive: field(
    'Metadata',
    'Show Inactive',
    'Select which roles have the permission to view inactive objects',
    ['string.showInactive'],
    { vocabulary: 'plone.app.vocabularies.Roles' },
  ),
  sortable_title: field(
    'Text',
    'Sortable Title',
    "The item's title, transformed for sorting",
    ['string.contains', ...TEXT_OPERATIONS],
    { ...HIDDEN, sortable: true },
  ),
  start: date('Event start date', 'The start date and time of an event'),
};

const OPERATIONS: Record<IndexKind, readonly string[]> = {
  field: TEXT_OPERATIONS,
  keyword: KEYWORD_OPERATIONS,
  boolean: BOOLEAN_OPERATIONS,
  number: INTEGER_OPERATIONS,
  date: DATE_OPERATIONS,
  text: CONTAINS,
  uuid: REFERENCE_OPERATIONS,
};

function queryField({ kind, field, title, description, group, enabled, sortable }: OfferedIndex): QueryField {
  const vocabulary = field?.vocabulary?.['@id'] ?? field?.items?.vocabulary?.['@id'];
  const choices = field?.choices ?? field?.items?.choices;
  const chosen = kind === 'field' && (vocabulary ?? choices) !== undefined;
  return {
    ...{ title, description, group, enabled, sortable },
    vocabulary: kind === 'uuid' ? null : (vocabulary?.split('/@vocabularies/').at(-1) ?? null),
    operations: chosen ? CHOICE_OPERATIONS : OPERATIONS[kind],
    ...(choices ? { choices } : {}),
  };
}

/** The indexes that types and add-ons declare, as the editor of queries offers them. */
export const declaredFields = ({ catalog }: Site): Record<string, QueryField> =>
  Object.fromEntries([...catalog.offered()].map(([name, offered]) => [name, queryField(offered)]));
