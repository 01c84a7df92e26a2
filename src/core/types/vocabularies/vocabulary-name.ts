import type { Property } from '../definition.ts';

/** Name of the vocabulary of a field; undefined for a field without one. The stored form is the name, or an address that ends in it. */
export const vocabularyName = ({ vocabulary, items }: Pick<Property, 'vocabulary' | 'items'>): string | undefined =>
  (vocabulary ?? items?.vocabulary)?.['@id'].split('/@vocabularies/').at(-1);
