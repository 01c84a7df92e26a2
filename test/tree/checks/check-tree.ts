import { expect } from 'vitest';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import { type Node, valuesOf } from '../model.ts';
import { viewersOf } from '../rights.ts';
import type { Tree } from '../tree.ts';

/** The stored state of one object that is compared. */
type Seen = {
  uid: string;
  parent: string | null;
  children: string[];
  type: string;
  owner: string;
  state: string | null;
  effective: string | null;
  localRoles: Record<string, string[]>;
  inherits: boolean;
  title: string;
  description: string;
  subjects: string[];
  hidden: boolean;
  start: string | null;
  rating: number | null;
  references: [relation: string, target: string][];
  /** The numbers of all versions; an object without stored versions, such as a copy, has version 0. */
  versions: number[];
  viewers: string[];
  workingCopyOf: string | null;
};

const SEEN = `select c.path, c.uid, p.uid as parent,
    array(select child.name from content child where child.parent = c.oid order by child.position, child.oid) as children,
    c.type, c.owner, c.review_state as state, c.effective, c.local_roles as "localRoles", c.inherit_roles as inherits,
    c.fields->>'title' as title, coalesce(c.fields->>'description', '') as description, c.fields->'subjects' as subjects,
    c.fields->'exclude_from_nav' as hidden, c.fields->>'start' as start,
    (c.fields->'rating')::int as rating,
    (select coalesce(jsonb_agg(jsonb_build_array(r.relation, r.target) order by r.position), '[]') from reference r
      where r.source = c.oid) as references,
    (select coalesce(array_agg(v.number order by v.number), '{0}') from version v where v.content = c.oid) as versions,
    k.allowed as viewers, (select b.uid from working_copy w join content b on b.oid = w.baseline where w.copy = c.oid) as "workingCopyOf"
  from content c left join content p on p.oid = c.parent left join catalog k on k.oid = c.oid
  where c.path = $1 or starts_with(c.path, $1 || '/')`;

/** The references of related items, then those of blocks, which a Link does not have. */
function referencesOf({ type }: Node, targets: string[]): [string, string][] {
  const all = (relation: string) => targets.map((target): [string, string] => [relation, target]);
  return type === 'Link' ? all('relatedItems') : [...all('relatedItems'), ...all('isReferencing')];
}

/** The expected state of one object, without `effective`. */
function expectedOf(tree: Tree, node: Node, parent: string | null): Omit<Seen, 'effective'> {
  const { targets, start, rating, ...values } = valuesOf(node);
  return {
    uid: node.uid,
    parent: node.parent?.uid ?? parent,
    children: node.children.map(({ name }) => name),
    type: node.type,
    owner: node.owner,
    state: node.state,
    localRoles: sorted(node.localRoles),
    inherits: node.inherits,
    ...values,
    start: start ?? null,
    rating: rating ?? null,
    references: referencesOf(node, targets),
    versions: [...node.versions.keys()],
    viewers: viewersOf(node),
    workingCopyOf: tree.checkedOut.get(node)?.uid ?? null,
  };
}

const sorted = (roles: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(roles).map(([principal, names]) => [principal, [...names].sort()]));

/** Copies the date of the first publication from the server where the last step has set it. */
function learnDate(node: Node, date: string | null): void {
  if (node.effective === undefined) {
    expect(date, `${node.name} has a date`).not.toBeNull();
    node.effective = date;
  }
}

/**
 * Compares the stored tree with the expected one in one statement: the objects, their paths and order, values, references,
 * states, versions, roles and viewers.
 */
export async function checkTree(kernel: Kernel, tree: Tree, container: string): Promise<void> {
  const rows = await kernel.db.query<Omit<Seen, 'effective'> & { path: string; effective: Date | null }>({
    name: 'tree-seen',
    text: SEEN,
    values: [tree.path(tree.root)],
  });
  const nodes = new Map(tree.all().map((node) => [tree.path(node), node]));
  const seen = rows.map(({ path, effective, localRoles, ...row }) => {
    const date = effective?.toISOString() ?? null;
    const node = nodes.get(path);
    if (node) learnDate(node, date);
    return [path, { ...row, localRoles: sorted(localRoles), effective: date }];
  });
  const expected = [...nodes].map(([path, node]) => [
    path,
    { ...expectedOf(tree, node, container), effective: node.effective },
  ]);
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected));
}
