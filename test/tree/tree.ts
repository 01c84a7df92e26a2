import { below, type Node, newNode } from './model.ts';

/** The item of a list that a number selects; undefined for an empty list. */
export const pickFrom = <T>(list: readonly T[], number: number): T | undefined => list[number % list.length];

/** The expected tree below one folder of the site, and the redirects into it. */
export class Tree {
  readonly root: Node;
  /** The target of each redirect. */
  readonly redirects = new Map<string, Node>();
  /** Working copies with their originals. */
  readonly checkedOut = new Map<Node, Node>();
  /** The number of steps so far, which orders events. */
  now = 0;

  constructor(name: string, uid: string) {
    const nothing = { description: '', subjects: [], hidden: false, targets: [], start: undefined, rating: undefined };
    this.root = newNode({
      uid,
      type: 'Folder',
      name,
      parent: undefined,
      owner: 'admin',
      values: { title: name, ...nothing },
    });
  }

  all(): Node[] {
    return below(this.root);
  }

  path({ name, parent }: Node): string {
    return `${parent ? this.path(parent) : ''}/${name}`;
  }

  at(path: string): Node | undefined {
    return this.all().find((node) => this.path(node) === path);
  }

  has(node: Node): boolean {
    return this.all().includes(node);
  }

  /** The object that a number selects. */
  pick(number: number): Node {
    return pickFrom(this.all(), number) ?? this.root;
  }

  /** The object that a number selects, but never the root; undefined when there is nothing else. */
  pickBelow(number: number): Node | undefined {
    return pickFrom(this.all().slice(1), number);
  }

  /** The objects that the numbers select, each once. */
  pickAll(numbers: readonly number[]): Node[] {
    return [...new Set(numbers.map((number) => this.pick(number)))];
  }

  /** The objects that the numbers select, each once, and never the root. */
  pickAllBelow(numbers: readonly number[]): Node[] {
    return [...new Set(numbers.flatMap((number) => this.pickBelow(number) ?? []))];
  }

  /** Adds an object as the last child of a container. */
  append(node: Node, parent: Node, name = node.name): void {
    Object.assign(node, { parent, name, placed: this.now });
    parent.children.push(node);
    this.takeAddresses(node);
  }

  /** Removes an object from the children of its container; `parent` stays. */
  detach(node: Node): void {
    if (node.parent) node.parent.children = node.parent.children.filter((other) => other !== node);
  }

  /** Gives an object another name or container. The former addresses of it and everything below redirect from now on. */
  readdress(node: Node, parent: Node | undefined, name: string): void {
    const before = below(node).map((one) => [this.path(one), one] as const);
    if (parent && parent !== node.parent) {
      this.detach(node);
      this.append(node, parent, name);
    } else node.name = name;
    this.takeAddresses(node);
    for (const [path, one] of before) this.redirects.set(path, one);
  }

  /** Removes the redirect from an address that content has now. */
  takeAddresses(node: Node): void {
    for (const one of below(node)) this.redirects.delete(this.path(one));
  }

  isLocked(node: Node): boolean {
    return [...this.checkedOut.values()].includes(node);
  }

  /** Both sides of a check-out, found by either side; for an object that is on both sides, it counts as the copy. */
  sidesOf(node: Node): { copy: Node; baseline: Node } | undefined {
    const baseline = this.checkedOut.get(node);
    if (baseline) return { copy: node, baseline };
    const copy = [...this.checkedOut].find(([, other]) => other === node)?.[0];
    return copy && { copy, baseline: node };
  }
}
