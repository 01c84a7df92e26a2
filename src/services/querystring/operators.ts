/** An operation as the editor of queries shows it. `widget` asks for the value; null for operations without one. */
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
