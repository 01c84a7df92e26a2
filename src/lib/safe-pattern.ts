import { RE2JS, RE2JSException } from 're2js';

/** Longest pattern, in characters. */
export const MAX_PATTERN_LENGTH = 500;
/** Longest text that is compared with a pattern, in characters: the time grows with both. */
const MAX_TEXT_LENGTH = 10_000;

/**
 * Whether a pattern can be used: a regular expression of the kind that needs no look-around and no back-references, so that it
 * is found in time linear in the text.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH) return false;
  try {
    RE2JS.compile(pattern);
    return true;
  } catch (error) {
    if (error instanceof RE2JSException) return false;
    throw error;
  }
}

/** Whether a pattern is found anywhere in a text, as JSON Schema has it; undefined for a text that is too long to say. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  return text.length > MAX_TEXT_LENGTH ? undefined : RE2JS.compile(pattern).matcher(text).find();
}
