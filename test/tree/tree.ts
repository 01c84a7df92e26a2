import { below, type Node, newNode } from './model.ts';

/** The one of a list that a number of a step means; undefined when there is none. */
export const pickFrom = <T>(list: readonly T[], number: number): T | undefined => list[number % list.length];

/** The tree that the server should have, below one folder of the site, and the old addresses that lead into it. */
export class Tree {
  readonly root: Node;
  /** Old addresses and where they lead. */
  readonly redirects = new Map<string, Node>();
  /** Working copies and what they were checked out of. */
  readonly checkedOut = new Map<Node, Node>();
  /** Counts the steps, so that it can be told what came first. */
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

  /** The object that a number of a step means. */
  pick(number: number): Node {
    return pickFrom(this.all(), number) ?? this.root;
  }

  /** The object that a number means, but never the root; undefined as long as there is nothing else. */
  pickBelow(number: number): Node | undefined {
    return pickFrom(this.all().slice(1), number);
  }

  /** Those that the numbers mean, each once. */
  pickAll(numbers: readonly number[]): Node[] {
    return [...new Set(numbers.map((number) => this.pick(number)))];
  }

  /** Those that the numbers mean, each once, and never the root. */
  pickAllBelow(numbers: readonly number[]): Node[] {
    return [...new Set(numbers.flatMap((number) => this.pickBelow(number) ?? []))];
  }

  /** Puts an object behind all others of its container. */
  append(node: Node, parent: Node, name = node.name): void {
    Object.assign(node, { parent, name, placed: this.now });
    parent.children.push(node);
    this.takeAddresses(node);
  }

  /** Takes an object out of its container. It still knows which that was. */
  detach(node: Node): void {
    if (node.parent) node.parent.children = node.parent.children.filter((other) => other !== node);
  }

  /** Gives an object another name or container. What it and everything below had as address leads to it from now on. */
  readdress(node: Node, parent: Node | undefined, name: string): void {
    const before = below(node).map((one) => [this.path(one), one] as const);
    if (parent && parent !== node.parent) {
      this.detach(node);
      this.append(node, parent, name);
    } else node.name = name;
    this.takeAddresses(node);
    for (const [path, one] of before) this.redirects.set(path, one);
  }

  /** An address in use is no old address any more. */
  takeAddresses(node: Node): void {
    for (const one of below(node)) this.redirects.delete(this.path(one));
  }

  isLocked(node: Node): boolean {
    return [...this.checkedOut.values()].includes(node);
  }

  /** Both sides of what is checked out, from either; of one that is both, the copy is meant. */
  sidesOf(node: Node): { copy: Node; baseline: Node } | undefined {
    const baseline = this.checkedOut.get(node);
    if (baseline) return { copy: node, baseline };
    const copy = [...this.checkedOut].find(([, other]) => other === node)?.[0];
    return copy && { copy, baseline: node };
  }
}
