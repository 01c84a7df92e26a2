import type { Caller } from '../security/caller.ts';
import { can, type SecurityNode } from '../security/can.ts';
import { MODIFY, VIEW } from '../security/permissions.ts';
import type { Site } from '../site/site.ts';
import type { ResolvedNode, TreeNode } from '../storage/content-row.ts';
import type { Transaction } from '../storage/database.ts';
import { lockBelow } from '../storage/statements/workflow-history.ts';
import { stateOf } from '../workflow/workflow.ts';
import { transitionsAt } from './available-transitions.ts';
import { securityChain, securityNode } from './security-chain.ts';
import { parentPath } from './tree-path.ts';

/** An object that goes from one state to another. `workflow` is an id. */
export type Move = { node: TreeNode; workflow: string; from: string; to: string };

/**
 * What goes along when `located` makes a transition (and has the state `reviewState` then): everything below that the
 * caller may view and that has the transition for the caller. With `dates`, only what the caller may modify: nothing is to be published
 * before its date because the date could not be set. All is held. One statement.
 */
export async function movesBelow(
  tx: Transaction,
  {
    site,
    caller,
    resolved,
    reviewState,
    transition,
    dates,
  }: { site: Site; caller: Caller; resolved: ResolvedNode; reviewState: string; transition: string; dates: boolean },
): Promise<Move[]> {
  const top = { ...resolved, object: { ...resolved.object, reviewState } };
  const chains = new Map<string, SecurityNode[]>([[top.object.path, securityChain(site, top)]]);
  const moves: Move[] = [];
  for (const node of await lockBelow(tx, top.object.path)) {
    const above = chains.get(parentPath(node.path) ?? '');
    // Another request put its container here while this one waited for the node: it came too late to go along.
    if (!above) continue;
    const chain = [securityNode(site, node), ...above];
    chains.set(node.path, chain);
    if (!can(VIEW, caller, chain, site.roleMap)) continue;
    if (dates && !can(MODIFY, caller, chain, site.roleMap)) continue;
    const found = transitionsAt(site, caller, node, chain).find(({ id }) => id === transition);
    const now = stateOf(site, node);
    if (!found || !now) continue;
    moves.push({ node, workflow: now.workflow.id, from: node.reviewState ?? '', to: found.new_state });
    // What lies below is judged by the new state of its container.
    chains.set(node.path, [securityNode(site, { ...node, reviewState: found.new_state }), ...above]);
  }
  return moves;
}
