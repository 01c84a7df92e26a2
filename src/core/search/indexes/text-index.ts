import type { CatalogIndex, QueryContext } from '../catalog-index.ts';
import { allOf, conditionOn, ofCatalog, ofOwnRows } from '../expression.ts';
import { fieldPrefix } from '../indexed-words.ts';
import type { SqlParameters } from '../query.ts';
import { foldedText } from '../text.ts';
import { parseTextQuery, type TextQuery, type TextTerm } from '../text-query.ts';
import { parseText } from '../values.ts';

/** The searched part of an object's text: its title, its description, one of its fields, or everything. */
type Part = 'A' | 'B' | '' | { field: string };

/** The text between the quotes has only letters, digits and marks, see `wordsOf`, behind the name of a field. */
function lexeme(word: string, beginning: boolean, part: Part): string {
  const [prefix, weight] = typeof part === 'string' ? ['', part] : [fieldPrefix(part.field), ''];
  return `'${prefix}${word}':${beginning ? '*' : ''}${weight}`;
}

/** The stem of a word as an expression of type tsquery, with the name of the field before it. */
function fieldStem(word: string, stemmer: string, field: string, parameters: SqlParameters): string {
  const stem = `to_tsquery(${stemmer}, ${parameters.add(`'${word}'`)}::text)::text`;
  const named = parameters.add(`'${fieldPrefix(field)}\\1'`);
  return `regexp_replace(${stem}, '''([^'']+)''', ${named}::text, 'g')::tsquery`;
}

/** A term as an expression of type tsquery; a whole word is found as written and by its stem. */
function termQuery(term: TextTerm, part: Part, parameters: SqlParameters, { stemmers }: QueryContext): string {
  const { words, prefix } = term;
  const text = words.map((word, at) => lexeme(word, prefix && at === words.length - 1, part)).join(' <-> ');
  const place = `${parameters.add(text)}::text`;
  const stem = (name: string) => {
    const stemmer = `${parameters.add(name)}::regconfig`;
    return typeof part === 'string'
      ? `to_tsquery(${stemmer}, ${place})`
      : fieldStem(words.join(''), stemmer, part.field, parameters);
  };
  const stems = prefix || words.length > 1 ? [] : stemmers.filter((stemmer) => stemmer !== 'simple');
  return `(${[`(${place})::tsquery`, ...stems.map(stem)].join(' || ')})`;
}

/** A parsed text as an expression of type tsquery. */
function expressionOf(query: TextQuery, part: Part, parameters: SqlParameters, context: QueryContext): string {
  const expression = (one: TextQuery): string => expressionOf(one, part, parameters, context);
  if ('term' in query) return termQuery(query.term, part, parameters, context);
  if ('not' in query) return `(!! ${expression(query.not)})`;
  const [parts, operator] = 'all' in query ? [query.all, ' && '] : [query.any, ' || '];
  return `(${parts.map(expression).join(operator)})`;
}

/**
 * A text of a client as an expression of type tsquery; undefined for a text without words, which finds nothing.
 * Throws BadRequest for a text that is too long.
 */
export function textQuery(
  text: string,
  part: Part,
  parameters: SqlParameters,
  context: QueryContext,
): string | undefined {
  const query = parseTextQuery(text);
  return query && expressionOf(query, part, parameters, context);
}

/** Says if a part is a word or a phrase; with `prefix` if it ends with the beginning of a word. */
const isTerm = (query: TextQuery, prefix: boolean): boolean => 'term' in query && query.term.prefix === prefix;

/**
 * The whole words that must occur in a text that also has beginnings of words, as an expression of type tsquery; undefined for other texts. The index
 * lists what has a whole word at one place, and what begins in a certain way at as many places as there are such words.
 */
export function wholeWordsQuery(text: string, parameters: SqlParameters, context: QueryContext): string | undefined {
  const query = parseTextQuery(text);
  if (!query || !('all' in query) || !query.all.some((part) => isTerm(part, true))) return undefined;
  const all = query.all.filter((part) => isTerm(part, false));
  return all.length === 0 ? undefined : expressionOf({ all }, '', parameters, context);
}

/** Joins the texts of a constraint: repeated texts must all occur. */
export function joinedText(index: string, values: readonly unknown[]): string {
  const texts = values.map((value) => parseText(index, value));
  return texts.length > 1 ? texts.map((text) => `(${text})`).join(' ') : (texts[0] ?? '');
}

/** An index of words in one of the parts of an object's text. */
export const textIndex = (name: string, part: Part): CatalogIndex => ({
  name,
  words: true,
  condition({ values, not }, parameters, context) {
    const matches = (text: string) => {
      const query = textQuery(text, part, parameters, context);
      if (query === undefined) return 'false';
      return `k.searchable @@ ${context.throughIndex ? `(select ${query})` : query}`;
    };
    const text = joinedText(name, values);
    // A star in front searches a part of a word, which an index of words does not support; titles are short enough to be read.
    const inside = /^\*+([^*]+)\*$/.exec(text.trim().slice(0, 200))?.[1];
    if (part === 'A' && inside !== undefined)
      return ofCatalog(`position(${parameters.add(foldedText(inside))}::text in k.sortable_title) > 0`);
    // The subquery only makes the searched words.
    return conditionOn(
      ofOwnRows(ofCatalog('k.searchable')),
      allOf([
        text.trim() === '' ? undefined : matches(text),
        ...not.map((value) => `not (${matches(parseText(name, value))})`),
      ]),
    );
  },
});
