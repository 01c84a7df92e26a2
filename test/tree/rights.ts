import type { Caller } from '../../src/core/security/caller.ts';
import type { Node, State } from './model.ts';

const KNOWN = ['Manager', 'Owner', 'Editor', 'Reader', 'Contributor', 'Site Administrator'];

/** Roles that may view content in each state of the workflow. */
const VIEWERS: Record<State, readonly string[]> = {
  private: KNOWN,
  pending: [...KNOWN, 'Reviewer'],
  published: ['Anonymous'],
};

const ADDERS = ['Owner', 'Contributor', 'Site Administrator', 'Manager'];

/** The local roles that are effective at an object: its own and, where it inherits, those of its containers. */
function countedRoles(node: Node): [principal: string, role: string][] {
  const own = Object.entries(node.localRoles).flatMap(([principal, roles]) =>
    roles.map((role): [string, string] => [principal, role]),
  );
  return node.inherits && node.parent ? [...own, ...countedRoles(node.parent)] : own;
}

/** Roles that a caller has at an object by sharing. */
export const rolesAt = ({ principals }: Caller, node: Node): Set<string> =>
  new Set(countedRoles(node).flatMap(([principal, role]) => (principals.includes(principal) ? role : [])));

/** Who may view an object, as tokens of the index of viewers. */
export function viewersOf(node: Node): string[] {
  const roles = VIEWERS[node.state];
  const shared = countedRoles(node).flatMap(([principal, role]) => (roles.includes(role) ? principal : []));
  return [...new Set([...roles.map((role) => `role:${role}`), ...shared])].sort();
}

export const mayView = ({ principals }: Caller, node: Node): boolean =>
  viewersOf(node).some((viewer) => principals.includes(viewer));

export const mayAdd = (caller: Caller, node: Node): boolean =>
  [...caller.roles, ...rolesAt(caller, node)].some((role) => ADDERS.includes(role));
