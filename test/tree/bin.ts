import { below, type Node } from './model.ts';
import type { Tree } from './tree.ts';

/** One deletion: an expected entry of the recycle bin. */
export type Entry = {
  id: string;
  top: Node;
  /** The objects in the entry, with their addresses at the deletion. */
  paths: Map<Node, string>;
  /** Redirects to the objects, and working copies with their originals: they are restored with their objects. */
  redirects: [path: string, target: Node][];
  links: [copy: Node, baseline: Node][];
  /** Siblings before and after the deleted object, and the step of the deletion. */
  before: Node[];
  behind: Node[];
  deleted: number;
};

/** The expected recycle bin of the server. */
export class Bin {
  readonly #tree: Tree;
  entries: Entry[] = [];

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Removes an object from the tree with everything that depends on it. With the id of an entry it goes into the bin. */
  remove(top: Node, id: string | undefined): void {
    const tree = this.#tree;
    const nodes = new Set(below(top));
    const siblings = top.parent?.children ?? [];
    const at = siblings.indexOf(top);
    const redirects = [...tree.redirects].filter(([, target]) => nodes.has(target));
    const links = [...tree.checkedOut].filter(([copy, baseline]) => nodes.has(copy) || nodes.has(baseline));
    if (id !== undefined)
      this.entries.push({
        id,
        top,
        paths: new Map([...nodes].map((node) => [node, tree.path(node)])),
        redirects,
        links: links.filter((sides) => sides.every((side) => nodes.has(side))),
        before: siblings.slice(0, at),
        behind: siblings.slice(at + 1),
        deleted: tree.now,
      });
    for (const [path] of redirects) tree.redirects.delete(path);
    for (const [copy] of links) tree.checkedOut.delete(copy);
    tree.detach(top);
  }

  /** Restores an object of an entry into a container: at its end or, with `order`, where the server put it. */
  restore(
    entry: Entry,
    part: Node,
    { container, name, order }: { container: Node; name: string; order: string[] | undefined },
  ): void {
    const tree = this.#tree;
    const nodes = below(part);
    if (part !== entry.top) tree.detach(part);
    const { placed } = part;
    tree.append(part, container, name);
    if (order) {
      part.placed = placed;
      checkPlace(entry, container, order);
      container.children.sort((a, b) => order.indexOf(a.uid) - order.indexOf(b.uid));
    }
    this.#restoreAddresses(entry, nodes);
    // When only one side of a check-out is restored, both become ordinary content.
    for (const [copy, baseline] of entry.links)
      if (nodes.includes(copy) && nodes.includes(baseline)) tree.checkedOut.set(copy, baseline);
    entry.links = entry.links.filter((sides) => !sides.some((side) => nodes.includes(side)));
    entry.redirects = entry.redirects.filter(([, target]) => !nodes.includes(target));
    for (const node of nodes) entry.paths.delete(node);
    if (entry.paths.size === 0) this.purge(entry);
  }

  purge(entry: Entry): void {
    this.entries = this.entries.filter((other) => other !== entry);
  }

  /** Restores redirects, also from the addresses at the deletion, unless content or another redirect has the address now. */
  #restoreAddresses(entry: Entry, nodes: Node[]): void {
    const tree = this.#tree;
    const own = entry.redirects.filter(([, target]) => nodes.includes(target));
    const left = nodes.map((node) => [entry.paths.get(node) ?? '', node] as const);
    for (const [path, target] of [...own, ...left])
      if (!tree.at(path) && !tree.redirects.has(path)) tree.redirects.set(path, target);
  }
}

/** Throws unless the restored object follows the siblings that it followed before, as far as these have kept their places. */
function checkPlace({ top, before, behind, deleted }: Entry, container: Node, order: string[]): void {
  const others = container.children.filter((child) => child !== top);
  const kept = others.map(({ uid }) => uid);
  const served = order.filter((uid) => uid !== top.uid);
  if (kept.join() !== served.join()) throw new Error(`Restoring put ${kept} into the order ${served}`);
  const at = order.indexOf(top.uid);
  for (const sibling of others.filter(({ placed }) => placed < deleted)) {
    const isBefore = order.indexOf(sibling.uid) < at;
    if (isBefore ? behind.includes(sibling) : before.includes(sibling))
      throw new Error(`${top.name} came back on the wrong side of ${sibling.name}`);
  }
}
