import { type Static, Type } from 'typebox';
import {
  access,
  type Caller,
  type PlacedNode,
  permissions,
  type Site,
  schemas,
  security,
  type TreeNode,
  urlOf,
  VIEW,
} from '#core';
import type { Subject } from './subject.ts';

/** A place of the chain in responses. */
export const Place = Type.Object({ '@id': Type.String({ format: 'uri' }), title: Type.String() });

/** A user or a group in responses. */
export const Principal = Type.Object({
  type: Type.Enum(['user', 'group']),
  id: Type.String(),
  title: Type.String(),
});

/** The content that a request asks about, as the asker sees it. */
export type Viewpoint = {
  site: Site;
  /** The caller of the request. */
  asker: Caller;
  base: string;
  subject: Subject;
  /** The content, its container, … the root. */
  nodes: readonly TreeNode[];
  /** The security nodes of `nodes`. */
  chain: readonly security.Node[];
  /** True if the asker may read which groups the user is in. */
  seesGroups: boolean;
};

/** The content with its containers as `asker` sees it. Only the user and managers of users see the names of groups. */
export function viewpointOf({
  site,
  caller: asker,
  base,
  resolved,
  subject,
}: {
  site: Site;
  caller: Caller;
  base: string;
  resolved: PlacedNode;
  subject: Subject;
}): Viewpoint {
  const nodes = [resolved.object, ...resolved.ancestors];
  const chain = access.chain(site, resolved);
  const manages = security.can(permissions.MANAGE_USERS, asker, chain.slice(-1), site.roleMap);
  return { site, asker, base, subject, nodes, chain, seesGroups: manages || asker.id === subject.id };
}

/** Says if the asker has the permission at a place of the chain. */
export const askerMay = ({ site, asker, chain }: Viewpoint, permission: string, at: number): boolean =>
  security.can(permission, asker, chain.slice(at), site.roleMap);

/** The place of the chain; null if the asker may not view it, or if there is no such place. */
export function placeAt(view: Viewpoint, at: number | undefined): Static<typeof Place> | null {
  const node = at === undefined ? undefined : view.nodes[at];
  if (at === undefined || !node || !askerMay(view, VIEW, at)) return null;
  return { '@id': urlOf(view.base, node.path), title: node.title };
}

/** The user of the viewpoint, or one of the groups, by its token; null for a group that the asker may not read. */
export function principalOf({ subject, seesGroups }: Viewpoint, token: string): Static<typeof Principal> | null {
  const id = token.slice(token.indexOf(':') + 1);
  if (token.startsWith('user:')) return { type: 'user', id, title: subject.title };
  if (!seesGroups) return null;
  return { type: 'group', id, title: subject.groups.find((group) => group.id === id)?.title ?? id };
}

/** A state of a workflow in responses. */
export const State = schemas.Nullable(Type.Object({ id: Type.String(), title: Type.String() }), {
  description: 'The state of the workflow that the setting belongs to.',
});
