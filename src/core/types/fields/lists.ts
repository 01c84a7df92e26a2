import { Type } from 'typebox';
import { tokenOf } from '../../../lib/json-object.ts';
import { type Factory, FieldError, type FieldKind } from '../field-kind.ts';
import { sameShape } from '../value-shapes.ts';
import { mergeOrdered, mergeSet } from './merge-list.ts';
import { checkText, TOKEN_LENGTH } from './text.ts';

const LIST: Factory['property'] = { type: 'array', items: { type: 'string' } };

/**
 * A list of strings (keywords, creators, attendees). A scalar is wrapped; terms are unwrapped to their token; items are trimmed, and empty and
 * repeated items are dropped.
 */
export const list: FieldKind = {
  factories: [
    { name: 'List', property: LIST, forUsers: true },
    { name: 'Tuple', property: LIST },
    { name: 'Collection', property: LIST },
    { name: 'Set', property: { ...LIST, uniqueItems: true } },
    { name: 'Frozenset', property: { ...LIST, uniqueItems: true } },
  ],
  indexes: ['keyword'],
  column: true,
  limits: 'items',
  shape: () => sameShape(Type.Array(Type.String())),
  missing: [],
  deserialize(value, field) {
    const items = (Array.isArray(value) ? value : [value]).map((item) => {
      const token = tokenOf(item);
      if (token === undefined) throw new FieldError('Must be a list of strings.');
      return checkText(token, TOKEN_LENGTH).trim();
    });
    const unique = [...new Set(items.filter((item) => item !== ''))];
    if (field.maxItems !== undefined && unique.length > field.maxItems)
      throw new FieldError(`Has more than ${field.maxItems} items.`);
    if (field.minItems !== undefined && unique.length < field.minItems)
      throw new FieldError(`Has less than ${field.minItems} items.`);
    return unique;
  },
  words: (stored) => (Array.isArray(stored) ? stored.filter((item) => typeof item === 'string').join(', ') : ''),
  recognizes: (sample) =>
    'value' in sample && Array.isArray(sample.value) && sample.value.every((item) => typeof item === 'string'),
  merge: (sides, merging) => (merging.field.uniqueItems ? mergeSet : mergeOrdered)(sides, merging),
  imported: { uniqueItems: false },
};
