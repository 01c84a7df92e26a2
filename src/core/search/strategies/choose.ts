import type { Statement } from '../../../database/database.ts';
import { findAll } from './find-all.ts';
import { inOrder } from './in-order.ts';
import { sortAll, sortThenLook } from './sort-all.ts';
import { readingOf, type Search, type Strategy } from './strategy.ts';
import { walk } from './walk.ts';

/** The strategies; the first one that fits is used. */
const STRATEGIES: readonly Strategy[] = [findAll, inOrder, walk, sortThenLook, sortAll];

/** The statement of a search, with the name of its strategy. Throws BadRequest for values that their index cannot have. */
export function planSearch(search: Search): { strategy: string; statement: Statement } {
  const reading = readingOf(search);
  const { name, statement } = STRATEGIES.find(({ fits }) => fits(reading)) ?? sortAll;
  return { strategy: name, statement: statement(reading) };
}
