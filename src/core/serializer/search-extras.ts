import { totalsFor } from '../cache/kept-totals.ts';
import { searchedText } from '../content/searched-text.ts';
import type { QueryContext } from '../search/catalog-index.ts';
import type { Viewer } from '../search/conditions.ts';
import { correctedText } from '../search/corrections.ts';
import { countFacets, type FacetRequest } from '../search/facets.ts';
import { joinedText } from '../search/indexes/text-index.ts';
import type { CatalogQuery } from '../search/query.ts';
import type { FoundRow } from '../search/search-catalog.ts';
import { likelyForms, type Marks, marksOf, snippetsOf } from '../search/snippets.ts';
import { sameStems, searchedFields } from '../search/statements/search-texts.ts';
import { parseTextQuery } from '../search/text-query.ts';
import { facetTitles } from './facet-titles.ts';
import { type RenderContext, urlOf } from './render-context.ts';
import type { FoundPage } from './result-shapes.ts';

/** Additions to the results of a search, each only on request. */
export type SearchExtras = {
  /** True to return the parts of the texts of results that contain the words. */
  highlight: boolean;
  /** The request to count results by values. */
  facets: FacetRequest | undefined;
  /** True to suggest another spelling of the words when nothing is found. */
  correct: boolean;
};

/** The searcher, with the context of the conditions. */
export type Searcher = { viewer: Viewer; queryContext: QueryContext };

/** The site, the caller and the query of a search. */
type Told = { query: CatalogQuery; searcher: Searcher; extras: SearchExtras };

/** Maximum number of results of one page whose texts are highlighted, and of the characters of all these texts. */
const MAX_HIGHLIGHTED = 100;
const MAX_CHARACTERS = 1_000_000;
/** Words of texts whose stems are looked up. */
const MAX_FORMS = 2000;

/** The search text of a query; undefined for none. */
function textOf({ constraints }: CatalogQuery): string | undefined {
  const text = constraints.find(({ index }) => index === 'SearchableText');
  return text && joinedText(text.index, text.constraint.values);
}

type Texts = { title: string; description: string; text: string };

/** The texts of results by their numbers, if everybody who sees the results may read the texts. Runs one statement. */
async function loadTexts({ db, site }: RenderContext, rows: readonly FoundRow[]): Promise<Map<number, Texts>> {
  const loaded = await searchedFields(
    db,
    rows.map(({ oid }) => oid),
  );
  const texts = new Map<number, Texts>();
  let left = MAX_CHARACTERS;
  for (const { oid, type, fields, fileText } of loaded) {
    const row = rows.find((one) => one.oid === oid);
    if (!row || left <= 0) continue;
    const text = `${searchedText(site, site.types.get(type), fields)} ${fileText ?? ''}`.slice(0, left);
    left -= text.length;
    texts.set(oid, { title: row.title, description: row.description, text });
  }
  return texts;
}

/** Returns the words to mark in some texts: the words of the query, and words of the texts with the same stem. */
async function marksIn(
  { db }: RenderContext,
  { searcher }: Told,
  { text, texts }: { text: string; texts: Iterable<Texts> },
): Promise<Marks> {
  const marks = marksOf(parseTextQuery(text));
  const forms = new Set<string>();
  for (const { title, description, text: body } of texts)
    for (const form of likelyForms(`${title} ${description} ${body}`, marks))
      if (forms.size < MAX_FORMS) forms.add(form);
  const stemmers = searcher.queryContext.stemmers.filter((stemmer) => stemmer !== 'simple');
  if (forms.size === 0 || stemmers.length === 0) return marks;
  const same = await sameStems(db, { words: [...marks.words], forms: [...forms], stemmers });
  return { ...marks, words: new Set([...marks.words, ...same]) };
}

/** `highlighting` of a result: parts with marked words, by the name of the text. */
function highlighting({ title, description, text }: Texts, marks: Marks): Record<string, string[]> {
  const parts = {
    title: snippetsOf(title, marks, { whole: true }),
    description: snippetsOf(description, marks, { whole: true }),
    text: snippetsOf(text, marks),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, snippets]) => snippets.length > 0));
}

/** Adds `highlighting` to results: an object of lists of escaped HTML, empty when no text contains a word. Runs two statements. */
export async function withHighlights<Item extends { '@id': string }>(
  context: RenderContext,
  told: Told,
  rows: readonly FoundRow[],
  shown: readonly Item[],
): Promise<(Item & { highlighting: Record<string, string[]> })[]> {
  const text = textOf(told.query);
  if (text === undefined) return shown.map((item) => ({ ...item, highlighting: {} }));
  const texts = await loadTexts(context, rows.slice(0, MAX_HIGHLIGHTED));
  const marks = await marksIn(context, told, { text, texts: texts.values() });
  const byUrl = new Map(
    rows.map(({ oid, path }): [string, Texts | undefined] => [urlOf(context.base, path), texts.get(oid)]),
  );
  return shown.map((item) => {
    const found = byUrl.get(item['@id']);
    return { ...item, highlighting: found ? highlighting(found, marks) : {} };
  });
}

/** `facets` and `did_you_mean` of a search, if requested. Runs one statement for each. */
export async function extraMembers(
  { db, site, kernel }: RenderContext,
  { query, searcher: { viewer, queryContext }, extras: { facets, correct } }: Told,
  total: number,
): Promise<Pick<FoundPage, 'facets' | 'did_you_mean'>> {
  const members: Pick<FoundPage, 'facets' | 'did_you_mean'> = {};
  if (facets) {
    const counted = await countFacets(db, query, viewer, {
      facets,
      context: queryContext,
      total,
      totals: totalsFor(kernel.slots, db),
    });
    members.facets = Object.fromEntries(
      [...counted].map(([index, values]) => {
        const titleOf = facetTitles(site, index);
        return [index, values.map(({ value, count }) => ({ value, title: titleOf(value), count }))];
      }),
    );
  }
  if (correct) {
    const text = total === 0 ? textOf(query) : undefined;
    const corrected = text === undefined ? undefined : await correctedText(db, text, { viewer, paths: query.paths });
    members.did_you_mean = corrected ?? null;
  }
  return members;
}
