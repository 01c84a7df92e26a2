import type { Caller } from '../security/caller.ts';
import type { SecurityNode } from '../security/can.ts';
import type { Site } from '../site/site.ts';
import type { ResolvedNode, TreeNode } from '../storage/content-row.ts';
import { passesGuard, stateOf, type WorkflowTransition } from '../workflow/workflow.ts';
import { securityChain } from './security-chain.ts';

/** A transition under its id. */
export type NamedTransition = WorkflowTransition & { id: string };

/** The transitions that the caller may make on `node`, whose security chain is `chain`, in the order of the workflow. */
export function transitionsAt(
  site: Site,
  caller: Caller,
  node: Pick<TreeNode, 'type' | 'reviewState'>,
  chain: readonly SecurityNode[],
): NamedTransition[] {
  const { workflow, state } = stateOf(site, node) ?? {};
  return (state?.transitions ?? []).flatMap((id) => {
    const transition = workflow?.transitions[id];
    return transition && passesGuard(transition, caller, chain, site.roleMap) ? [{ id, ...transition }] : [];
  });
}

/** The transitions that the caller may make on an object now. */
export const availableTransitions = (site: Site, caller: Caller, resolved: ResolvedNode): NamedTransition[] =>
  transitionsAt(site, caller, resolved.object, securityChain(site, resolved));
