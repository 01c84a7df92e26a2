import { LRUCache } from 'lru-cache';
import { BadRequest } from '../../lib/errors.ts';
import { isUnspaced, pairsOf, runsOf } from './text.ts';

/** Words that must follow one another, or one word; with `prefix` the last one is the beginning of a word. */
export type TextTerm = { words: string[]; prefix: boolean };

/** A search text: a term, parts that must all occur, parts of which one must occur, or a part that must not occur. */
export type TextQuery =
  | { term: TextTerm }
  | { all: readonly TextQuery[] }
  | { any: readonly TextQuery[] }
  | { not: TextQuery };

const MAX_TEXT_LENGTH = 2000;
const MAX_TERMS = 50;
/** Maximum depth of parentheses in parentheses, and of exclusions of exclusions. */
const MAX_DEPTH = 50;
/** A hyphen in front of a word, a phrase or a parenthesis; a phrase; a parenthesis; anything else without spaces. */
const TOKEN = /(?<![^\s(])(-)(?=[^\s)-])|"([^"]*)"|([()])|[^\s"()]+/g;

type Operator = 'or' | 'not' | '-' | '(' | ')';
type Token = Operator | TextQuery;

/** The parts as one query; undefined for no parts. */
function joined(parts: readonly TextQuery[], by: 'all' | 'any'): TextQuery | undefined {
  const [first] = parts;
  if (parts.length < 2) return first;
  return by === 'all' ? { all: parts } : { any: parts };
}

/**
 * Words that follow one another, as a term. A run without spaces may go on in the text, so its last character alone does not count; a run of one
 * character is the beginning of a pair.
 */
function phraseTerm(runs: readonly string[], prefix: boolean): TextQuery {
  const words = runs.flatMap((run) => (isUnspaced(run) ? [...pairsOf(run)] : [run]));
  const isOpen = isUnspaced(runs.at(-1) ?? '');
  const isPair = isOpen && [...(runs.at(-1) ?? '')].length > 1;
  return { term: { words: isPair ? words.slice(0, -1) : words, prefix: isOpen ? !isPair : prefix } };
}

/** A wildcard within or behind a word, with the letters behind it. A `?` at the end of a word is a question mark. */
const WILDCARD = /(?:\*|\?(?=[\p{L}\p{N}]))[\p{L}\p{N}\p{M}*?]*/gu;

/**
 * Each word of a token is a term. From the first `*` or `?` in a word on, any ending fits, because the index of words supports only beginnings. A
 * wildcard in front of a word is left out.
 */
function wordTerms(token: string): TextQuery[] {
  const parts = token
    .replace(/^[*?]+/, '')
    .replace(WILDCARD, '*')
    .split('*');
  return parts.flatMap((part, index) => {
    const runs = [...runsOf(part)];
    return runs.map((run, at) => phraseTerm([run], at === runs.length - 1 && index < parts.length - 1));
  });
}

const countWords = (query: TextQuery): number => termsIn(query).reduce((sum, { words }) => sum + words.length, 0);

/** The tokens of a search text, without those that have no word. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let count = 0;
  for (const [token, minus, phrase, parenthesis] of text.matchAll(TOKEN)) {
    const word = token.toLowerCase();
    if (minus !== undefined) tokens.push('-');
    else if (parenthesis === '(' || parenthesis === ')') tokens.push(parenthesis);
    else if (phrase === undefined && (word === 'or' || word === 'not')) tokens.push(word);
    else if (phrase !== undefined || word !== 'and') {
      const runs = [...runsOf(phrase ?? '')];
      const phrases = runs.length > 0 ? [phraseTerm(runs, false)] : [];
      const query = joined(phrase === undefined ? wordTerms(token) : phrases, 'all');
      count += query ? countWords(query) : 0;
      if (count > MAX_TERMS) throw new BadRequest(`A search text has ${MAX_TERMS} words at most.`);
      // A hyphen belongs to the token that follows it without a space.
      if (query) tokens.push(query);
      else if (tokens.at(-1) === '-') tokens.pop();
    }
  }
  return tokens;
}

/** Reads tokens by recursive descent: alternatives of terms that must all occur. */
class TextParser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): TextQuery | undefined {
    const parts: TextQuery[] = [];
    while (this.#at < this.#tokens.length) {
      const part = this.#alternatives();
      if (part) parts.push(part);
      // A closing parenthesis without a partner counts as a space.
      this.#at += 1;
    }
    return joined(parts, 'all');
  }

  #alternatives(): TextQuery | undefined {
    const alternatives: (TextQuery | undefined)[] = [this.#terms()];
    while (this.#take('or')) alternatives.push(this.#terms());
    return joined(
      alternatives.filter((terms) => terms !== undefined),
      'any',
    );
  }

  #terms(): TextQuery | undefined {
    const terms: TextQuery[] = [];
    for (;;) {
      const next = this.#tokens[this.#at];
      if (next === undefined || next === 'or' || next === ')') return joined(terms, 'all');
      const term = this.#term();
      if (term) terms.push(term);
    }
  }

  #term(): TextQuery | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || token === 'or' || token === ')') return undefined;
    this.#at += 1;
    if (token !== '(' && token !== 'not' && token !== '-') return token;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw new BadRequest(`A search text has ${MAX_DEPTH} parentheses in one another at most.`);
    const part = token === '(' ? this.#alternatives() : this.#term();
    if (token === '(') this.#take(')');
    this.#depth -= 1;
    if (token === '(' || part === undefined) return part;
    return 'not' in part ? part.not : { not: part };
  }

  #take(token: Operator): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }
}

/** The last parsed texts: the conditions, the ranking and the plan of one search each parse its text. */
const parsed = new LRUCache<string, { query: TextQuery | undefined }>({ max: 50 });

/**
 * Parses the text of a search: words that must all occur, `*` behind the beginning of a word, "phrases", the operators AND, OR and NOT in any case
 * (plone.restapi §6.2), `-` in front of words that must not occur, and parentheses. A parenthesis without its partner is a space. Returns undefined
 * for a text without words. Throws BadRequest for a text that is too long.
 */
export function parseTextQuery(text: string): TextQuery | undefined {
  if (text.length > MAX_TEXT_LENGTH) throw new BadRequest(`A search text has ${MAX_TEXT_LENGTH} characters at most.`);
  const known = parsed.get(text);
  if (known) return known.query;
  const query = new TextParser(tokensOf(text)).parse();
  parsed.set(text, { query });
  return query;
}

/** All terms of a query, in their order; `negated` is true for terms that must not occur. */
export function termsIn(query: TextQuery | undefined, negated = false): (TextTerm & { negated: boolean })[] {
  if (query === undefined) return [];
  if ('term' in query) return [{ ...query.term, negated }];
  if ('not' in query) return termsIn(query.not, !negated);
  return ('all' in query ? query.all : query.any).flatMap((part) => termsIn(part, negated));
}

/** Words that are quoted if they are no operators. */
const OPERATORS: ReadonlySet<string> = new Set(['and', 'or', 'not']);
const LISTED = /"([^"]*)"|[^\s"]+/g;

/**
 * Converts the search text of a listing (`SearchableText` rows of @querystring-search) for `parseTextQuery`: every word is the beginning of a word,
 * quoted phrases stay, and names of operators are plain words (plone.restapi §6.3).
 */
export function mungeText(text: string): string {
  const munged: string[] = [];
  for (const [token, phrase] of text.slice(0, MAX_TEXT_LENGTH + 1).matchAll(LISTED)) {
    if (phrase !== undefined) munged.push(`"${phrase}"`);
    else for (const word of runsOf(token)) munged.push(OPERATORS.has(word) ? `"${word}"` : `${word}*`);
  }
  return munged.join(' ');
}
