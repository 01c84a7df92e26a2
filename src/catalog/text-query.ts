import { BadRequest } from '../lib/errors.ts';
import { wordsOf } from './words.ts';

/** Words that must follow one another, or one word; the last may be the beginning of a word only. */
export type TextTerm = { words: string[]; prefix: boolean; negated: boolean };

/** Alternatives, each of terms that must all occur. */
export type TextQuery = TextTerm[][];

const MAX_TEXT_LENGTH = 2000;
const MAX_TERMS = 50;
const TOKEN = /"([^"]*)"|[^\s"]+/g;

/** Each word of a token is a term of its own; a `*` behind it takes any ending. */
function termsOf(token: string, negated: boolean): TextTerm[] {
  const parts = token.split('*');
  return parts.flatMap((part, index) => {
    const words = [...wordsOf(part)];
    return words.map((word, at) => ({
      words: [word],
      prefix: at === words.length - 1 && index < parts.length - 1,
      negated,
    }));
  });
}

/**
 * Reads the text of a search: words that must all occur, `*` behind the beginning of a word, "phrases", and the
 * operators AND, OR and NOT in any case (plone.restapi §6.2). Parentheses are spaces. Nothing that can be typed is an
 * error but what is too long: then it throws BadRequest.
 */
export function parseTextQuery(text: string): TextQuery {
  if (text.length > MAX_TEXT_LENGTH) throw new BadRequest(`A search text has ${MAX_TEXT_LENGTH} characters at most.`);
  const alternatives: TextQuery = [[]];
  let negated = false;
  let count = 0;
  for (const [token, phrase] of text.replace(/[()]/g, ' ').matchAll(TOKEN)) {
    const operator = phrase === undefined ? token.toLowerCase() : '';
    if (operator === 'or') alternatives.push([]);
    if (operator === 'not') negated = true;
    if (operator === 'or' || operator === 'not' || operator === 'and') continue;
    const words = [...wordsOf(phrase ?? '')];
    const terms =
      phrase === undefined ? termsOf(token, negated) : words.length > 0 ? [{ words, prefix: false, negated }] : [];
    count += phrase === undefined ? terms.length : words.length;
    if (count > MAX_TERMS) throw new BadRequest(`A search text has ${MAX_TERMS} words at most.`);
    alternatives.at(-1)?.push(...terms);
    if (terms.length > 0) negated = false;
  }
  return alternatives.filter((terms) => terms.length > 0);
}

/**
 * The search text of a listing (`SearchableText` rows of @querystring-search) as one for `parseTextQuery`: every word is
 * the beginning of one, quoted phrases stay, and the words of operators are words (plone.restapi §6.3).
 */
export function mungeText(text: string): string {
  const munged: string[] = [];
  for (const [token, phrase] of text.slice(0, MAX_TEXT_LENGTH + 1).matchAll(TOKEN)) {
    if (phrase !== undefined) munged.push(`"${phrase}"`);
    else for (const word of wordsOf(token)) munged.push(['and', 'or', 'not'].includes(word) ? `"${word}"` : `${word}*`);
  }
  return munged.join(' ');
}
