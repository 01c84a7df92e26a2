/** What the test believes of one object. */
export type Node = {
  uid: string;
  name: string;
  parent: Node | undefined;
  children: Node[];
  state: 'private' | 'pending' | 'published';
};

export type Transition = 'publish' | 'submit' | 'retract' | 'reject';

/** The transitions of the workflow that leave each state, and where they lead. */
const LEADS: Record<Transition, { to: Node['state']; from: Node['state'][] }> = {
  publish: { to: 'published', from: ['private', 'pending'] },
  submit: { to: 'pending', from: ['private'] },
  retract: { to: 'private', from: ['pending', 'published'] },
  reject: { to: 'private', from: ['pending', 'published'] },
};

/** A tree in memory that does what the server should do. */
export class Model {
  readonly root: Node;
  readonly rootPath: string;

  constructor(rootPath: string, uid: string) {
    this.rootPath = rootPath;
    this.root = { uid, name: rootPath.slice(1), parent: undefined, children: [], state: 'private' };
  }

  /** All objects, containers before their children. */
  all(): Node[] {
    const found = [this.root];
    for (const node of found) found.push(...node.children);
    return found;
  }

  path(node: Node): string {
    return node.parent ? `${this.path(node.parent)}/${node.name}` : this.rootPath;
  }

  add(parent: Node, name: string, uid: string): void {
    parent.children.push({ uid, name, parent, children: [], state: 'private' });
  }

  remove(node: Node): void {
    if (node.parent) node.parent.children = node.parent.children.filter((other) => other !== node);
  }

  move({ parent }: Node, name: string, delta: 'top' | 'bottom' | number): void {
    const child = parent?.children.find((node) => node.name === name);
    if (!parent || !child) return;
    const at = parent.children.indexOf(child);
    const rest = parent.children.filter((node) => node !== child);
    const wanted = delta === 'top' ? 0 : delta === 'bottom' ? rest.length : at + delta;
    rest.splice(Math.min(Math.max(wanted, 0), rest.length), 0, child);
    parent.children = rest;
  }

  /** Whether the server has to take the transition. */
  takes(node: Node, transition: Transition): boolean {
    const { from, to } = LEADS[transition];
    return node.state === to || from.includes(node.state);
  }

  transition(node: Node, transition: Transition, withChildren: boolean): void {
    const { from, to } = LEADS[transition];
    if (from.includes(node.state)) node.state = to;
    if (withChildren) for (const child of node.children) this.transition(child, transition, true);
  }
}
