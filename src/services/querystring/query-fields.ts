/** An index as the editor of queries offers it. */
export type QueryField = {
  title: string;
  description: string;
  group: string;
  enabled: boolean;
  sortable: boolean;
  vocabulary: string | null;
  /** Values to choose from, of fields without a vocabulary. */
  choices?: readonly [token: string, title: string][];
  /** Names of `OPERATORS`. */
  operations: readonly string[];
};

export const DATE_OPERATIONS = [
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
export const BOOLEAN_OPERATIONS = ['boolean.isTrue', 'boolean.isFalse'];
export const INTEGER_OPERATIONS = ['int.is', 'int.lessThan', 'int.largerThan'];
export const KEYWORD_OPERATIONS = ['selection.any', 'selection.all', 'selection.none'];
export const CHOICE_OPERATIONS = ['selection.any', 'selection.none'];
export const REFERENCE_OPERATIONS = ['reference.is'];
export const TEXT_OPERATIONS = ['string.is', 'string.isNot'];
export const CONTAINS = ['string.contains'];

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
