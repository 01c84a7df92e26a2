import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSException } from 're2js';

/** Longest pattern, in characters. */
export const MAX_PATTERN_LENGTH = 500;
/** Longest text that is compared with a pattern, in characters. */
const MAX_TEXT_LENGTH = 10_000;
/**
 * Instructions of a pattern, to which each repetition adds what it repeats: `[a-z]{0,1000}` has 2003. A search takes time in
 * proportion to them and to the length of the text.
 */
const MAX_INSTRUCTIONS = 2500;
/** Instructions times characters that one write compares: less than a quarter of a second at the worst. */
const MAX_STEPS = 10_000_000;

/** The steps that the comparisons of one write may still take. */
export type PatternBudget = { steps: number };

/** A budget for all texts of one write together. */
export const patternBudget = (): PatternBudget => ({ steps: MAX_STEPS });

/** Steps for compiling each instruction of a pattern. */
const COMPILE_STEPS = 100;

/** A pattern with the number of its instructions. One that is too large is not kept as an expression. */
type Compiled = { expression: RE2JS | undefined; instructions: number };

/** Few, because an expression grows by megabytes while it is used. */
const compiled = new LRUCache<string, Compiled>({ max: 20 });

function compile(pattern: string, budget: PatternBudget): Compiled {
  const known = compiled.get(pattern);
  if (known) return known;
  const expression = RE2JS.compile(pattern);
  const instructions = expression.programSize();
  budget.steps -= COMPILE_STEPS * instructions;
  const made = { expression: instructions > MAX_INSTRUCTIONS ? undefined : expression, instructions };
  compiled.set(pattern, made);
  return made;
}

/** The reason why a text cannot be a pattern: `none` for an invalid one, `large` for one that takes too long. */
export type PatternProblem = 'none' | 'large';

/**
 * The problem of a pattern to be used; undefined for a regular expression of the kind that needs no look-around and no
 * back-references, so that it is found in time linear in the text, and whose repetitions are not too many.
 */
export function patternProblem(pattern: string): PatternProblem | undefined {
  if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH) return 'none';
  try {
    return compile(pattern, patternBudget()).expression ? undefined : 'large';
  } catch (error) {
    if (error instanceof RE2JSException) return 'none';
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
