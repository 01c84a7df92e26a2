import type { SecurityNode } from '../security/can.ts';
import type { Site } from '../site/site.ts';
import type { ResolvedNode, TreeNode } from '../storage/content-row.ts';
import { stateOf } from '../workflow/workflow.ts';

/** Permission settings of one object: its own ones over those of its workflow state. */
function settingsOf(site: Site, node: TreeNode): SecurityNode['settings'] {
  const state = stateOf(site, node)?.state;
  if (!node.localPermissions) return state?.permissions ?? {};
  return { ...state?.permissions, ...node.localPermissions };
}

/** What the security of one object depends on, of itself. */
export const securityNode = (site: Site, node: TreeNode): SecurityNode => ({
  localRoles: node.localRoles,
  inheritRoles: node.inheritRoles,
  settings: settingsOf(site, node),
});

/** The security chain of an object: itself, its container, … the root. */
export const securityChain = (site: Site, { object, ancestors }: ResolvedNode): SecurityNode[] =>
  [object, ...ancestors].map((node) => securityNode(site, node));
