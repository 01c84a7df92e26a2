import { translate } from '../i18n/translate.ts';
import type { VocabularyDefinition } from '../types/vocabularies/vocabulary-definition.ts';
import type { Site } from './site.ts';
import type { Vocabulary } from './vocabulary.ts';

const registered = new Map<string, Vocabulary>();

/** Adds a vocabulary under all its names; core and add-ons use the same call. A later one replaces an earlier one. */
export function registerVocabulary(vocabulary: Vocabulary): void {
  for (const name of vocabulary.names) registered.set(name, vocabulary);
}

const fromData = ({ id, items }: VocabularyDefinition): Vocabulary => ({
  names: [id],
  terms: (_site, language) => items.map(({ token, title }) => ({ token, title: translate(title, language) })),
});

/** The vocabulary with a name: the one that the site itself declares, else the registered one; undefined for unknown names. */
export function findVocabulary({ vocabularies }: Site, name: string): Vocabulary | undefined {
  const declared = vocabularies.get(name);
  return declared ? fromData(declared) : registered.get(name);
}

/** All names by which there are vocabularies, in their order. */
export const vocabularyNames = ({ vocabularies }: Site): string[] =>
  [...new Set([...registered.keys(), ...vocabularies.keys()])].sort();
