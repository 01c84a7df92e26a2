import { type contentRules, type Field, fieldValues, message } from '#core';
import { BadRequest } from '#lib/errors';
import { isJsonObject, textOf } from '#lib/json-object';
import { parseBoolean, parseNumber } from '#lib/schema/parse-text';
import { parseInstant } from '#lib/time/iso-date';
import { elementSchema, line } from '../element-schema.ts';

/** Operators of the comparison, with their titles. */
const OPERATORS: [token: string, title: string][] = [
  ['equals', 'is'],
  ['not_equals', 'is not'],
  ['contains', 'contains'],
  ['not_contains', 'does not contain'],
  ['starts_with', 'begins with'],
  ['ends_with', 'ends with'],
  ['less', 'is less than'],
  ['less_or_equal', 'is at most'],
  ['greater', 'is more than'],
  ['greater_or_equal', 'is at least'],
  ['empty', 'is empty'],
  ['not_empty', 'is not empty'],
];

/** A value in the form for comparison; a list becomes the texts of its items. */
type Comparable = string | number | boolean | string[];

/** Converts a stored value for comparison: its indexed value if that is simple, with texts in lower case. */
function simple(stored: unknown, isDate: boolean): Comparable | undefined {
  if (stored === null || stored === undefined || stored === '') return undefined;
  if (typeof stored === 'number' || typeof stored === 'boolean') return stored;
  if (typeof stored === 'string') return isDate ? Date.parse(stored) : stored.toLowerCase();
  if (Array.isArray(stored)) return stored.length === 0 ? undefined : stored.map((item) => textIn(item).toLowerCase());
  return textIn(stored).toLowerCase();
}

/** The text of a value that is an object: the text of formatted text, or the name of a file. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isJsonObject(value)) return String(value ?? '');
  return textOf(value.data) || textOf(value.filename) || JSON.stringify(value);
}

const isDateField = ({ widget, factory }: Pick<Field, 'widget' | 'factory'>): boolean =>
  widget === 'datetime' || widget === 'date' || factory === 'Date/Time' || factory === 'Date';

/** Parses the value of a rule by the kind of the field. Throws BadRequest for a text that cannot be such a value. */
function wanted(value: string, field: Field): string | number | boolean {
  const parsed = isDateField(field)
    ? parseInstant(value)?.getTime()
    : field.type === 'integer' || field.type === 'number'
      ? parseNumber(value)
      : field.type === 'boolean'
        ? parseBoolean(value)
        : value.toLowerCase();
  if (parsed === undefined) throw new BadRequest(`"${value}" cannot be compared with the field "${field.name}".`);
  return parsed;
}

/** Says if the comparison holds between a present value and the value of the rule. */
function holds(operator: string, present: Comparable, other: string | number | boolean): boolean {
  const contains = Array.isArray(present) ? present.includes(String(other)) : String(present).includes(String(other));
  const same = Array.isArray(present) ? present.length === 1 && contains : present === other;
  switch (operator) {
    case 'equals':
      return same;
    case 'not_equals':
      return !same;
    case 'contains':
      return contains;
    case 'not_contains':
      return !contains;
    case 'starts_with':
      return String(present).startsWith(String(other));
    case 'ends_with':
      return String(present).endsWith(String(other));
    case 'less':
      return !Array.isArray(present) && present < other;
    case 'less_or_equal':
      return !Array.isArray(present) && present <= other;
    case 'greater':
      return !Array.isArray(present) && present > other;
    case 'greater_or_equal':
      return !Array.isArray(present) && present >= other;
    default:
      return false;
  }
}

/** The comparisons that hold for a field without a value: it is empty, contains nothing and equals nothing. */
const HOLDS_FOR_NOTHING = ['empty', 'not_equals', 'not_contains'];

/**
 * Compares a field with a value, as numbers, dates or truth values for fields of these kinds, else as texts in any case. It replaces Plone's
 * expressions in TALES, which run code that their authors write.
 */
export const compareField: contentRules.Condition = {
  name: 'compare_field',
  title: 'Value of a field',
  description: 'Apply only when a field of the content has a particular value',
  schema: elementSchema(
    {
      field: line('Field', 'The name of the field, such as title or start.', { maxLength: 100 }),
      operator: {
        title: 'Comparison',
        description: 'How the field is compared with the value.',
        type: 'string',
        factory: 'Choice',
        choices: OPERATORS,
        default: 'equals',
      },
      value: line('Value', 'A text, a number, a date such as 2026-05-01, or true or false.'),
    },
    ['field', 'operator'],
  ),
  check: ({ operator, value }) =>
    operator === 'empty' || operator === 'not_empty' || textOf(value) !== ''
      ? []
      : [{ field: 'value', message: 'Required input is missing.' }],
  summary: ({ field, operator, value }) => message(`Field ${textOf(field)}: ${textOf(operator)} ${textOf(value)}`),
  passes({ site, content: { object }, values }) {
    const operator = textOf(values.operator);
    const field = site.types.get(object.type)?.fieldByName.get(textOf(values.field));
    const stored = field && fieldValues.of(object)[field.name];
    const present = field && simple(stored, isDateField(field));
    if (operator === 'empty' || operator === 'not_empty') return (present === undefined) === (operator === 'empty');
    if (!field || present === undefined) return HOLDS_FOR_NOTHING.includes(operator);
    return holds(operator, present, wanted(textOf(values.value), field));
  },
};
