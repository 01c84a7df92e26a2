import { isDeepStrictEqual } from 'node:util';

export type State = 'private' | 'pending' | 'published';
export type Type = 'Folder' | 'Page' | 'Event' | 'Link';

/**
 * The values that a client can write. `targets` are the UIDs of referenced objects; only an event has a `start`, and only
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

/** The expected state of one object. The model object stays the same when the content is deleted and restored. */
export type Node = {
  uid: string;
  type: Type;
  name: string;
  /** For deleted objects, the container from which they were deleted. */
  parent: Node | undefined;
  children: Node[];
  owner: string;
  state: State;
  /** The date of the first publication; undefined when the last step has set it and it was not loaded yet. */
  effective: string | null | undefined;
  localRoles: Record<string, string[]>;
  inherits: boolean;
  /** The values of each version, the present values last. */
  versions: Values[];
  /** The step in which it got its position among its siblings. */
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

/** Changes values of an object, which adds a version when they differ. */
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
