import { translate } from '../i18n/translate.ts';
import type { VocabularyDefinition } from '../types/vocabularies/vocabulary-definition.ts';
import type { Vocabulary } from './vocabulary.ts';

const fromData = ({ id, items }: VocabularyDefinition): Vocabulary => ({
  names: [id],
  terms: (_site, language) => items.map(({ token, title }) => ({ token, title: translate(title, language) })),
});

/** The part of a site that vocabularies which are data come from. */
type Declaring = { vocabularies: ReadonlyMap<string, VocabularyDefinition> };

/** The vocabularies that features bring. A site may declare others as data; its own go before those of features. */
export class VocabularyRegistry {
  readonly #byName = new Map<string, Vocabulary>();

  /** Throws when two vocabularies have one name: a mistake of a programmer. */
  constructor(vocabularies: readonly Vocabulary[]) {
    for (const vocabulary of vocabularies)
      for (const name of vocabulary.names) {
        if (this.#byName.has(name)) throw new Error(`There are two vocabularies ${name}`);
        this.#byName.set(name, vocabulary);
      }
  }

  /** The vocabulary with a name; undefined for unknown names. */
  find({ vocabularies }: Declaring, name: string): Vocabulary | undefined {
    const declared = vocabularies.get(name);
    return declared ? fromData(declared) : this.#byName.get(name);
  }

  /** All names by which there are vocabularies, in their order. */
  names({ vocabularies }: Declaring): string[] {
    return [...new Set([...this.#byName.keys(), ...vocabularies.keys()])].sort();
  }
}
