import type * as re2 from 're2js';
import { BadRequest } from '#lib/errors';
import { lazyPackage } from '#lib/process/lazy-package';

const engine = lazyPackage<typeof re2>('re2js');

const MAX_PATTERN_LENGTH = 1000;
const MAX_REPLACEMENT_LENGTH = 10_000;
/** Maximum characters of a text after its replacements: far more than any field should contain. */
const MAX_RESULT_LENGTH = 5_000_000;
/**
 * Maximum number of instructions of a compiled pattern; a repetition repeats its instructions. The time of a search is proportional to their number.
 */
const MAX_INSTRUCTIONS = 20_000;

export type PatternRequest = {
  pattern: string;
  replacement: string;
  /** True for a regular expression; otherwise the pattern is a plain text. */
  regularExpression: boolean;
  ignoreCase: boolean;
};

/** Replaces all matches in a text; returns the same text when nothing matches. Throws BadRequest beyond the limits. */
export type ReplaceText = (text: string) => string;

type Match = { text: string; group(reference: number | string): string | undefined };

/**
 * Parses a replacement into texts and functions that return the value of `$&`, `$1` and `$<name>`, as in JavaScript.
 */
function parseReplacement(replacement: string): (string | ((match: Match) => string))[] {
  return replacement.split(/(\$(?:[$&]|\d{1,2}|<\w{1,50}>))/).map((part) => {
    if (!part.startsWith('$') || part === '$') return part;
    if (part === '$$') return '$';
    if (part === '$&') return ({ text }) => text;
    const name = part.slice(1).replace(/[<>]/g, '');
    const reference = /^\d/.test(name) ? Number(name) : name;
    // A reference to a missing group stays text, as in JavaScript.
    return (match) => match.group(reference) ?? part;
  });
}

function compile({ pattern, regularExpression, ignoreCase }: PatternRequest): re2.RE2JS {
  const { RE2JS, RE2JSException } = engine();
  try {
    const text = regularExpression ? pattern : RE2JS.quote(pattern);
    const expression = RE2JS.compile(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    if (expression.programSize() > MAX_INSTRUCTIONS)
      throw new BadRequest('The pattern takes too long to search: repeat less in it.');
    return expression;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new BadRequest(
      `The pattern is not a regular expression: ${error.message}. Look-around and back-references are not supported.`,
    );
  }
}

/** Throws BadRequest for a pattern or a replacement that is too long. */
export function requireLengths({ pattern, replacement }: PatternRequest): void {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new BadRequest(`Pattern must be at most ${MAX_PATTERN_LENGTH} characters long.`);
  if (replacement.length > MAX_REPLACEMENT_LENGTH)
    throw new BadRequest(`Replacement must be at most ${MAX_REPLACEMENT_LENGTH} characters long.`);
}

/**
 * Returns a function that replaces a pattern. Its engine (RE2) searches in time linear in the text and in the size of the pattern: a long text takes
 * seconds, so it runs in a thread with a deadline (`TextReplacer`). Empty matches are skipped. Throws BadRequest for a pattern that is too large or
 * not a regular expression.
 */
export function replacePattern(request: PatternRequest): ReplaceText {
  const { replacement, regularExpression } = request;
  const expression = compile(request);
  const parts = regularExpression ? parseReplacement(replacement) : [replacement];
  const groups = expression.groupCount();
  const names = new Set(Object.keys(expression.namedGroups()));
  return (text) => {
    const found: string[] = [];
    const matcher = expression.matcher(text);
    let copied = 0;
    let length = text.length;
    while (matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()];
      if (start === end) continue;
      const match: Match = {
        text: text.slice(start, end),
        group: (reference) => {
          const known = typeof reference === 'number' ? reference >= 1 && reference <= groups : names.has(reference);
          return known ? (matcher.group(reference) ?? '') : undefined;
        },
      };
      const next = parts.map((part) => (typeof part === 'string' ? part : part(match))).join('');
      length += next.length - match.text.length;
      if (length > MAX_RESULT_LENGTH) throw new BadRequest('The replacements make a text too long.');
      found.push(text.slice(copied, start), next);
      copied = end;
    }
    return copied === 0 ? text : found.join('') + text.slice(copied);
  };
}
