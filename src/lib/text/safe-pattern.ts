import { LRUCache } from 'lru-cache';
import type * as re2 from 're2js';
import { lazyPackage } from '../process/lazy-package.ts';

const engine = lazyPackage<typeof re2>('re2js');

/** Maximum length of a pattern, in characters. */
export const MAX_PATTERN_LENGTH = 500;
/** Maximum length of a text that is compared with a pattern, in characters. */
const MAX_TEXT_LENGTH = 10_000;
/**
 * Maximum number of instructions of a pattern. A repetition multiplies the instructions inside: `[a-z]{0,1000}` has 2003. The time of a search is
 * proportional to the instructions and to the length of the text.
 */
const MAX_INSTRUCTIONS = 2500;
/** Maximum of instructions times characters in one write: less than a quarter of a second at the worst. */
const MAX_STEPS = 10_000_000;

/** The remaining steps for the comparisons of one write. */
export type PatternBudget = { steps: number };

/** A budget for all texts of one write together. */
export const patternBudget = (): PatternBudget => ({ steps: MAX_STEPS });

/** Steps that compiling one instruction of a pattern costs. */
const COMPILE_STEPS = 100;

/** A pattern with the number of its instructions; without an expression if it is too large. */
type Compiled = { expression: re2.RE2JS | undefined; instructions: number };

/** The cache is small, because an expression grows by megabytes while it is used. */
const compiled = new LRUCache<string, Compiled>({ max: 20 });

function compile(pattern: string, budget: PatternBudget): Compiled {
  const known = compiled.get(pattern);
  if (known) return known;
  const expression = engine().RE2JS.compile(pattern);
  const instructions = expression.programSize();
  budget.steps -= COMPILE_STEPS * instructions;
  const made = { expression: instructions > MAX_INSTRUCTIONS ? undefined : expression, instructions };
  compiled.set(pattern, made);
  return made;
}

/** The reason why a text cannot be a pattern: `none` for an invalid pattern, `large` for a pattern that takes too long. */
export type PatternProblem = 'none' | 'large';

/**
 * The problem of a pattern; undefined for a regular expression without look-around and back-references, so that the search takes time linear in the
 * text, and without too many repetitions.
 */
export function patternProblem(pattern: string): PatternProblem | undefined {
  if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH) return 'none';
  try {
    return compile(pattern, patternBudget()).expression ? undefined : 'large';
  } catch (error) {
    if (error instanceof engine().RE2JSException) return 'none';
    throw error;
  }
}

/**
 * Says if a pattern is found anywhere in a text, as JSON Schema defines it; undefined for a pattern or a text that would take too long.
 * The steps are taken from the budget.
 */
export function matchesPattern(pattern: string, text: string, budget = patternBudget()): boolean | undefined {
  const { expression, instructions } = compile(pattern, budget);
  budget.steps -= instructions * text.length;
  if (!expression || text.length > MAX_TEXT_LENGTH || budget.steps < 0) return undefined;
  return expression.matcher(text).find();
}
