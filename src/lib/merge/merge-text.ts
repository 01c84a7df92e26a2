import { type MergeBudget, mergeSequences } from './diff3.ts';

/** Three states of a value: the common base, and the states of both sides. */
export type Sides<Value = unknown> = { base: Value; mine: Value; theirs: Value };

/** The side that counts at a conflict. */
export type Preferred = 'mine' | 'theirs';

/** A merged value. At conflicts it has the value of the preferred side. */
export type Merged<Value> = { value: Value; conflicts: boolean };

/** Cuts a text into pieces; joined, they are the text. */
type Cut = (text: string) => string[];

const lines: Cut = (text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
/** Cuts a text into words, white space and single characters between them. */
export const cutWords: Cut = (text) => text.match(/\s+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu) ?? [];
/** Tags and entities are one piece each. */
const htmlPieces: Cut = (html) => html.match(/<[^>]*>|&#?\w+;|\s+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu) ?? [];

/** Merges texts by their pieces; `finer` are finer cuts for parts that both sides changed. */
function mergePieces(
  { base, mine, theirs }: Sides<string>,
  prefer: Preferred,
  budget: MergeBudget,
  [cut, ...finer]: readonly Cut[],
): Merged<string> {
  const preferred = prefer === 'mine' ? mine : theirs;
  if (!cut) return { value: preferred, conflicts: true };
  const pieces = { base: cut(base), mine: cut(mine), theirs: cut(theirs) };
  let conflicts = false;
  const made = mergeSequences(pieces.base, pieces.mine, pieces.theirs, budget).map((part) => {
    const textOf = (side: keyof Sides) => pieces[side].slice(...part[side]).join('');
    if (part.by !== 'conflict') return textOf(part.by === 'mine' ? 'mine' : 'theirs');
    const sides = { base: textOf('base'), mine: textOf('mine'), theirs: textOf('theirs') };
    const inside = mergePieces(sides, prefer, budget, finer);
    conflicts ||= inside.conflicts;
    return inside.value;
  });
  return { value: made.join(''), conflicts };
}

/** Merges plain texts by lines, and by words inside of lines that both sides changed. */
export const mergeText = (sides: Sides<string>, prefer: Preferred, budget: MergeBudget): Merged<string> =>
  mergePieces(sides, prefer, budget, [lines, cutWords]);

/** Elements without an end tag. */
const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);

/** Says if each element of an HTML text ends inside of the element in which it began. */
function isBalanced(html: string): boolean {
  const open: string[] = [];
  for (const [, end, name = '', rest = ''] of html.matchAll(/<(\/?)([a-zA-Z][\w:-]*)([^>]*)>/g)) {
    const tag = name.toLowerCase();
    if (VOID.has(tag) || rest.endsWith('/')) continue;
    if (!end) open.push(tag);
    else if (open.pop() !== tag) return false;
  }
  return open.length === 0;
}

/** Merges HTML by tags and words. If elements overlap in the result, the whole text is a conflict. */
export function mergeHtml(sides: Sides<string>, prefer: Preferred, budget: MergeBudget): Merged<string> {
  const merged = mergePieces(sides, prefer, budget, [htmlPieces]);
  return !merged.conflicts && isBalanced(merged.value) ? merged : { value: sides[prefer], conflicts: true };
}
