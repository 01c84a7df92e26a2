import { BadRequest } from '../../lib/errors.ts';
import { isUnspaced, pairsOf, runsOf } from './text.ts';

/** Words that must follow one another, or one word; the last may be the beginning of a word only. */
export type TextTerm = { words: string[]; prefix: boolean };

/** A search text: a term, or parts of which all must occur, one must occur, or the one must not occur. */
export type TextQuery =
  | { term: TextTerm }
  | { all: readonly TextQuery[] }
  | { any: readonly TextQuery[] }
  | { not: TextQuery };

const MAX_TEXT_LENGTH = 2000;
const MAX_TERMS = 50;
/** Parentheses in parentheses, and exclusions of exclusions. */
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
 * Words that follow one another, as a term. At the end of a run without spaces stands whatever follows there in the text, so its last
 * character alone does not count; of a run of one character, it is the beginning of a pair.
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
 * Each word of a token is a term. From the first `*` or `?` in a word on any ending fits: the index of words has beginnings only.
 * Those in front of a word are left out.
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
      // A hyphen belongs to what follows it at once.
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
      // A parenthesis that closes nothing is a space.
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

/**
 * Parses the text of a search: words that must all occur, `*` behind the beginning of a word, "phrases", the operators AND, OR
 * and NOT in any case (plone.restapi §6.2), `-` in front of what must not occur, and parentheses. A parenthesis without
 * its partner is a space. Returns undefined for a text without words. Throws BadRequest for a text that is too long.
 */
export function parseTextQuery(text: string): TextQuery | undefined {
  if (text.length > MAX_TEXT_LENGTH) throw new BadRequest(`A search text has ${MAX_TEXT_LENGTH} characters at most.`);
  return new TextParser(tokensOf(text)).parse();
}

/** All terms of a query, in their order; `negated` are those that must not occur. */
export function termsIn(query: TextQuery | undefined, negated = false): (TextTerm & { negated: boolean })[] {
  if (query === undefined) return [];
  if ('term' in query) return [{ ...query.term, negated }];
  if ('not' in query) return termsIn(query.not, !negated);
  return ('all' in query ? query.all : query.any).flatMap((part) => termsIn(part, negated));
}

/** Words that are quoted where they are no operators. */
const OPERATORS: ReadonlySet<string> = new Set(['and', 'or', 'not']);
const LISTED = /"([^"]*)"|[^\s"]+/g;

/**
 * The search text of a listing (`SearchableText` rows of @querystring-search) as one for `parseTextQuery`: every word is
 * the beginning of one, quoted phrases stay, and the words of operators are words (plone.restapi §6.3).
 */
export function mungeText(text: string): string {
  const munged: string[] = [];
  for (const [token, phrase] of text.slice(0, MAX_TEXT_LENGTH + 1).matchAll(LISTED)) {
    if (phrase !== undefined) munged.push(`"${phrase}"`);
    else for (const word of runsOf(token)) munged.push(OPERATORS.has(word) ? `"${word}"` : `${word}*`);
  }
  return munged.join(' ');
}
