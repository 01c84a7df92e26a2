import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { type MergeBudget, mergeSequences } from '../../../lib/merge/diff3.ts';
import type { Merged, Preferred, Sides } from '../../../lib/merge/merge-text.ts';

/** A node with a text and its marks (slate). */
type Leaf = JsonObject & { text: string };
/** A node inside of a line, such as a link. */
type Inline = JsonObject & { children: Leaf[] };

const isLeaf = (node: unknown): node is Leaf => isJsonObject(node) && typeof node.text === 'string';
const isInline = (node: unknown): node is Inline =>
  isJsonObject(node) && Array.isArray(node.children) && node.children.every(isLeaf);

/** Says if a list has only texts, and nodes with texts inside: the contents of a paragraph. */
export const areLeaves = (nodes: unknown): nodes is (Leaf | Inline)[] =>
  Array.isArray(nodes) &&
  nodes.length > 0 &&
  nodes.some(isLeaf) &&
  nodes.every((node) => isLeaf(node) || isInline(node));

/** A word with its marks, and the node around it. */
type Word = { word: string; marks: JsonObject; around: JsonObject | null };

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu) ?? [];

function leafWords({ text, ...marks }: Leaf, around: JsonObject | null): Word[] {
  return wordsOf(text).map((word) => ({ word, marks, around }));
}

const words = (nodes: readonly (Leaf | Inline)[]): Word[] =>
  nodes.flatMap((node) => {
    if (isLeaf(node)) return leafWords(node, null);
    const { children, ...around } = node;
    return children.flatMap((leaf) => leafWords(leaf, around));
  });

/** Joins words of one node with the same marks to a text. The result has a text before, between and behind nodes, as the editor demands. */
function nodesOf(all: readonly Word[]): (Leaf | Inline)[] {
  const nodes: (Leaf | Inline)[] = [];
  let last: Word | undefined;
  for (const { word, marks, around } of all) {
    const isSameNode = last !== undefined && isDeepStrictEqual(last.around, around);
    if (around !== null && !isSameNode) {
      const before = nodes.at(-1);
      if (!before || !isLeaf(before)) nodes.push({ text: '' });
      nodes.push({ ...around, children: [] });
    }
    const node = nodes.at(-1);
    const leaves = around !== null && node && !isLeaf(node) ? node.children : nodes;
    const leaf = leaves.at(-1);
    if (isSameNode && leaf && isLeaf(leaf) && isDeepStrictEqual(last?.marks, marks)) leaf.text += word;
    else leaves.push({ text: word, ...marks });
    last = { word, marks, around };
  }
  const end = nodes.at(-1);
  if (!end || !isLeaf(end)) nodes.push({ text: '' });
  return nodes;
}

/** Merges the contents of a paragraph by words: bold in one place and another word in the next do not conflict. */
export function mergeLeaves(
  sides: Sides<(Leaf | Inline)[]>,
  { prefer, budget }: { prefer: Preferred; budget: MergeBudget },
): Merged<(Leaf | Inline)[]> {
  const all = { base: words(sides.base), mine: words(sides.mine), theirs: words(sides.theirs) };
  const keys = (list: readonly Word[]) => list.map(({ word, marks, around }) => JSON.stringify([word, marks, around]));
  const parts = mergeSequences(keys(all.base), keys(all.mine), keys(all.theirs), budget);
  if (parts.some(({ by }) => by === 'conflict')) return { value: sides[prefer], conflicts: true };
  const merged = parts.flatMap((part) =>
    part.by === 'mine' ? all.mine.slice(...part.mine) : all.theirs.slice(...part.theirs),
  );
  return { value: nodesOf(merged), conflicts: false };
}

/** The text of nodes for readers: a line for each of the outermost. */
export function textOfNodes(nodes: unknown): string {
  const textOf = (node: unknown): string => {
    if (!isJsonObject(node)) return '';
    if (typeof node.text === 'string') return node.text;
    return Array.isArray(node.children) ? node.children.map(textOf).join('') : '';
  };
  return Array.isArray(nodes) ? nodes.map(textOf).join('\n') : '';
}
