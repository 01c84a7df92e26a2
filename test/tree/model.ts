import { isDeepStrictEqual } from 'node:util';

export type State = 'private' | 'pending' | 'published';
export type Type = 'Folder' | 'Page' | 'Event' | 'Link';

/**
 * What a client may write of an object. `targets` are the UIDs of what it refers to; only an event has a `start`, and only
 * a page a `rating`.
 */
export type Values = {
  title: string;
  description: string;
  subjects: string[];
  hidden: boolean;
  targets: string[];
  start: string | undefined;
  rating: number | undefined;
};

/** What the test believes of one object. It stays the same when the object goes into the recycle bin and comes back. */
export type Node = {
  uid: string;
  type: Type;
  name: string;
  /** In the bin: the container that it was taken out of. */
  parent: Node | undefined;
  children: Node[];
  owner: string;
  state: State;
  /** When it was first published; undefined when that has just been set and is yet to be seen. */
  effective: string | null | undefined;
  localRoles: Record<string, string[]>;
  inherits: boolean;
  /** The values of each version, the present ones last. */
  versions: Values[];
  /** The step in which it got its place among the children. */
  placed: number;
};

/** An object and everything below it, containers before their children. */
export function below(node: Node): Node[] {
  const found = [node];
  for (const one of found) found.push(...one.children);
  return found;
}

export const isAtOrBelow = (node: Node, container: Node): boolean => below(container).includes(node);

/** The present values of an object. */
export function valuesOf({ versions, name }: Node): Values {
  const values = versions.at(-1);
  if (!values) throw new Error(`${name} has no version`);
  return values;
}

/** Gives an object other values, which makes a version when they differ. */
export function write(node: Node, values: Partial<Values>): void {
  const next = { ...valuesOf(node), ...values };
  if (!isDeepStrictEqual(next, valuesOf(node))) node.versions.push(next);
}

/** A new private object of a user. */
export const newNode = (about: Pick<Node, 'uid' | 'type' | 'name' | 'parent' | 'owner'> & { values: Values }): Node => {
  const { values, ...node } = about;
  return {
    ...node,
    children: [],
    state: 'private',
    effective: null,
    localRoles: { [`user:${node.owner}`]: ['Owner'] },
    inherits: true,
    versions: [values],
    placed: 0,
  };
};
