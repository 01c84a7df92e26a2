import { BadRequest } from '../lib/errors.ts';
import type { Queryable } from '../storage/database.ts';
import { freeCopyNumber, hasChild } from '../storage/statements/subtrees.ts';

/** What Plone puts in front of a taken id; more digits than these were not put there by a copy. */
const COPY_NAME = /^copy(\d{0,6})_of_(.+)$/s;

/** UTF-16 units of the original id that its copies keep: with what stands in front no id gets too long. */
const MAX_ORIGINAL_LENGTH = 180;

/** Candidates that are tried first; every further look takes twice as many. */
const FIRST_LOOK = 50;
const LAST_NUMBER = 1_000_000;

/** The name without a half of a surrogate pair at its end. */
const cut = (name: string): string =>
  name.length <= MAX_ORIGINAL_LENGTH ? name : name.slice(0, MAX_ORIGINAL_LENGTH).replace(/[\ud800-\udbff]$/, '');

/**
 * The name that an object gets in a container: its own, or when that is taken `copy_of_<name>`, `copy2_of_<name>`, …
 * (OFS.CopySupport of Zope; a copy of `copy_of_x` is `copy2_of_x`). The container is held exclusively by the caller.
 */
export async function freeNameFor(tx: Queryable, parent: number, name: string): Promise<string> {
  if (!(await hasChild(tx, parent, name))) return name;
  const [, number, original = name] = COPY_NAME.exec(name) ?? [];
  const kept = cut(original);
  let first = number === undefined ? 1 : Number(number || '1') + 1;
  for (let count = FIRST_LOOK; first < LAST_NUMBER; count *= 2) {
    const n = await freeCopyNumber(tx, { parent, name: kept, first, last: first + count - 1 });
    if (n !== undefined) return `copy${n === 1 ? '' : n}_of_${kept}`;
    first += count;
  }
  throw new BadRequest(`There are too many copies of "${name}" here.`);
}
