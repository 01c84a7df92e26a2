import { BadRequest } from '../../../lib/errors.ts';
import { isJsonObject } from '../../../lib/json-object.ts';
import type { Property } from '../definition.ts';
import type { Term } from './term.ts';

/** A vocabulary as data: a profile's `vocabularies/<id>.json`. */
export type VocabularyDefinition = { id: string; title: string; items: Term[] };

const isTerm = (value: unknown): value is Term =>
  isJsonObject(value) && typeof value.token === 'string' && value.token !== '' && typeof value.title === 'string';

/** Parses a vocabulary of a profile. Throws BadRequest when it does not have this form, or has a token twice. */
export function parseVocabularyData(id: string, data: unknown): VocabularyDefinition {
  const { title = id, items } = isJsonObject(data) ? data : {};
  if (typeof title !== 'string' || !Array.isArray(items) || !items.every(isTerm))
    throw new BadRequest(`The vocabulary "${id}" needs a list "items", each with a "token" and a "title".`);
  const tokens = new Set<string>();
  for (const { token } of items) {
    if (tokens.has(token)) throw new BadRequest(`The vocabulary "${id}" has two terms with the token "${token}".`);
    tokens.add(token);
  }
  return { id, title, items: items.map(({ token, title: name }) => ({ token, title: name })) };
}

/** Name of the vocabulary of a field; undefined for a field without one. The stored form is the name, or an address that ends in it. */
export const vocabularyName = ({ vocabulary, items }: Pick<Property, 'vocabulary' | 'items'>): string | undefined =>
  (vocabulary ?? items?.vocabulary)?.['@id'].split('/@vocabularies/').at(-1);
