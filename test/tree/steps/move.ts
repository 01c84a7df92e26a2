import fc from 'fast-check';
import { moveContent } from '../../../src/core/content/move-content.ts';
import { isAtOrBelow, type Node } from '../model.ts';
import { nameOfCopy } from '../names.ts';
import { ADMIN } from '../people.ts';
import { pickFrom, type Tree } from '../tree.ts';
import { patch } from './change.ts';
import { attempt, several, steps, which } from './step.ts';

/** Renames an object. */
export const renamings = steps(
  'rename',
  fc.record({ which, name: fc.constantFrom('a', 'b', 'c', 'a-1') }),
  async (world, { which: number, name }) => {
    const { tree } = world;
    const node = tree.pickBelow(number);
    if (!node?.parent || node.name === name) return;
    const isTaken = node.parent.children.some((other) => other.name === name);
    const refusal = tree.isLocked(node) ? 403 : isTaken ? 400 : undefined;
    await attempt(refusal, () => patch(world, node, { id: name }));
    if (refusal === undefined) tree.readdress(node, node.parent, name);
  },
);

/** The expected status for the first source that cannot be moved into the container. */
function refusalOf(tree: Tree, container: Node, sources: Node[]): number | undefined {
  for (const source of sources) {
    if (isAtOrBelow(container, source)) return 400;
    if (tree.isLocked(source)) return 403;
    if (source.parent !== container && container.type === 'Link') return 403;
  }
  return undefined;
}

/** Moves objects into a container. */
export const moves = steps(
  'move',
  fc.record({ sources: several, into: which, byUid: fc.boolean() }),
  async ({ kernel, tree }, { sources: numbers, into, byUid }) => {
    const sources = tree.pickAllBelow(numbers);
    // In most cases a container that accepts the sources, because a small tree has few of them.
    const outside = tree
      .all()
      .filter((node) => !sources.some((source) => isAtOrBelow(node, source) || source.parent === node));
    const container = (into % 4 > 0 ? pickFrom(outside, into) : undefined) ?? tree.pick(into);
    const refusal = refusalOf(tree, container, sources);
    const moved = await attempt(refusal, () =>
      moveContent(kernel, {
        caller: ADMIN,
        target: tree.path(container),
        sources: sources.map((node) => (byUid ? { uid: node.uid } : { path: tree.path(node) })),
        lockToken: undefined,
      }),
    );
    if (!moved) return;
    // A source below another source is moved with that one.
    const tops = sources.filter((node) => !sources.some((other) => other !== node && isAtOrBelow(node, other)));
    const expected = tops.map((node) => {
      const source = tree.path(node);
      if (node.parent !== container) tree.readdress(node, container, nameOfCopy(container, node.name));
      return { source, target: tree.path(node) };
    });
    if (JSON.stringify(moved) !== JSON.stringify(expected))
      throw new Error(`Moved ${JSON.stringify(moved)} instead of ${JSON.stringify(expected)}`);
  },
);
