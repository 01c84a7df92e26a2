import type { Queryable } from '../../../database/database.ts';
import type { Caller } from '../../security/caller.ts';
import type { ResolvedNode } from '../../types/content-row.ts';
import type { Term, TermPage, TermRequest } from '../../types/vocabularies/term.ts';
import type { VocabularyDefinition } from '../../types/vocabularies/vocabulary-definition.ts';
import type { Site } from './site.ts';

/** Permission for the protected vocabularies and for the sources of fields, in Plone's spelling. */
export const ACCESS_VOCABULARIES = 'Access Plone vocabularies';

/** The caller, the place and the language of a request for terms. */
export type TermContext = { site: Site; db: Queryable; caller: Caller; resolved: ResolvedNode; language: string };

type Named = {
  /** The names in its address; the first is its own, the others are names of other systems. */
  names: readonly [string, ...string[]];
  /** Permission for reading, beyond `View`, on the content of the request. */
  permission?: string;
  /** Says if the value of a field may be a token that is not among the terms; never unless given. */
  open?(token: string): boolean;
};

/** A vocabulary whose terms follow from the configuration of the site and are the same for everybody. Titles are for readers of `language`. */
export type SiteVocabulary = Named & { terms(site: Site, language: string): readonly Term[] };

/**
 * A vocabulary whose terms are searched for each request, because they depend on the caller or the place, or may be many. Terms are sorted by title.
 */
export type SearchedVocabulary = Named & { find(context: TermContext, request: TermRequest): Promise<TermPage> };

/** A named list of terms: values of a field, or choices of forms. */
export type Vocabulary = SiteVocabulary | SearchedVocabulary;

/** Says if the terms are searched for each request: such a vocabulary is a source of queries (plone.restapi, T16). */
export const isSearched = (vocabulary: Vocabulary): vocabulary is SearchedVocabulary => 'find' in vocabulary;

const fromData = ({ id, items }: VocabularyDefinition): Vocabulary => ({
  names: [id],
  terms: ({ registries }, language) =>
    items.map(({ token, title }) => ({ token, title: registries.messages.translate(title, language) })),
});

/** The part of a site with the vocabularies that are data. */
type Declaring = { vocabularies: ReadonlyMap<string, VocabularyDefinition> };

/** The vocabularies of features. A site may declare vocabularies as data, which go before those of features. */
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

  /** All names of vocabularies, in their order. */
  names({ vocabularies }: Declaring): string[] {
    return [...new Set([...this.#byName.keys(), ...vocabularies.keys()])].sort();
  }
}
