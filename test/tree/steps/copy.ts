import fc from 'fast-check';
import { copyContent } from '../../../src/core/content/copy-content.ts';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import type { Caller } from '../../../src/core/security/caller.ts';
import { below, type Node, newNode, valuesOf } from '../model.ts';
import { nameOfCopy } from '../names.ts';
import { ADMIN, ANN } from '../people.ts';
import { mayAdd, mayView } from '../rights.ts';
import type { Tree } from '../tree.ts';
import { attempt, several, sometimes, steps, which } from './step.ts';

/** The most objects of a tree, because a copy of the whole tree into itself doubles their number. */
const MAX_OBJECTS = 50;

/** Copies an object with everything below it that is `goesAlong`. The server chooses the UIDs. */
function copyOf(node: Node, parent: Node, name: string, owner: string, goesAlong: (child: Node) => boolean): Node {
  const copy = newNode({ uid: '', type: node.type, name, parent, owner, values: valuesOf(node) });
  copy.children = node.children.filter(goesAlong).map((child) => copyOf(child, copy, child.name, owner, goesAlong));
  return copy;
}

/** Adds a copy to the tree, with the UIDs that the server has chosen. */
export async function appendCopy(
  kernel: Kernel,
  tree: Tree,
  {
    source,
    container,
    owner,
    goesAlong,
  }: { source: Node; container: Node; owner: string; goesAlong: (child: Node) => boolean },
): Promise<Node> {
  const copy = copyOf(source, container, nameOfCopy(container, source.name), owner, goesAlong);
  for (const node of below(copy)) node.placed = tree.now;
  tree.append(copy, container);
  const paths = new Map(below(copy).map((node) => [tree.path(node), node]));
  const rows = await kernel.db.query<{ path: string; uid: string }>({
    text: 'select path, uid from content where path = any($1)',
    values: [[...paths.keys()]],
  });
  for (const { path, uid } of rows) Object.assign(paths.get(path) ?? {}, { uid });
  return copy;
}

/**
 * The expected status of a rejected copy. Sources that the caller may not view are skipped; all others must fit the container.
 */
const refusalOf = (caller: Caller, container: Node, sources: Node[]): number | undefined =>
  sources.length > 0 && (container.type === 'Link' || !mayAdd(caller, container)) ? 403 : undefined;

/** Copies objects into a container, which may be the one that they are in. */
export const copies = steps(
  'copy',
  fc.record({
    sources: several,
    into: sometimes(2, which),
    as: fc.constantFrom('admin', 'admin', 'ann'),
  }),
  async ({ kernel, tree }, { sources: numbers, into, as }) => {
    const caller = as === 'ann' ? ANN : ADMIN;
    const named = tree.pickAll(numbers);
    const container = into === undefined ? (named[0]?.parent ?? tree.root) : tree.pick(into);
    if (named.reduce((count, node) => 2 * (count + below(node).length), tree.all().length) > MAX_OBJECTS) return;
    const sources = named.filter((node) => mayView(caller, node));
    const refusal = refusalOf(caller, container, sources);
    const target = tree.path(container);
    const copied = await attempt(refusal, () =>
      copyContent(kernel, { caller, target, sources: named.map((node) => ({ path: tree.path(node) })) }),
    );
    if (!copied) return;
    const expected: typeof copied = [];
    for (const source of sources) {
      const goesAlong = (child: Node) => mayView(caller, child);
      const copy = await appendCopy(kernel, tree, { source, container, owner: as, goesAlong });
      expected.push({ source: tree.path(source), target: tree.path(copy) });
    }
    if (JSON.stringify(copied) !== JSON.stringify(expected))
      throw new Error(`Copied ${JSON.stringify(copied)} instead of ${JSON.stringify(expected)}`);
  },
);
