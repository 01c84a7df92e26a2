import type { Property } from '../definition.ts';

/**
 * The name of the vocabulary that the values of a field come from; undefined when there is none. Stored is the name, or an
 * address that ends in it.
 */
export const vocabularyName = ({ vocabulary, items }: Pick<Property, 'vocabulary' | 'items'>): string | undefined =>
  (vocabulary ?? items?.vocabulary)?.['@id'].split('/@vocabularies/').at(-1);
