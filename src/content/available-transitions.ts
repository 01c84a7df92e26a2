import type { Caller } from '../security/caller.ts';
import type { SecurityNode } from '../security/can.ts';
import type { Site } from '../site/site.ts';
import type { ResolvedNode, TreeNode } from '../storage/content-row.ts';
import { passesConditions, passesGuard, stateOf, type WorkflowTransition } from '../workflow/workflow.ts';
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
    if (!workflow || !transition || !passesGuard(transition, caller, chain, site.roleMap)) return [];
    const context = { caller, node, chain, workflow, transition: id };
    return passesConditions(transition, site.registries.guardConditions, context) ? [{ id, ...transition }] : [];
  });
}

/** The transitions that the caller may make on an object now. */
export const availableTransitions = (site: Site, caller: Caller, resolved: ResolvedNode): NamedTransition[] =>
  transitionsAt(site, caller, resolved.object, securityChain(site, resolved));
