import type { WorkflowDefinition, WorkflowState } from './definition.ts';
import { workflowOf } from './workflow-of.ts';

type Workflows = Parameters<typeof workflowOf>[0];

/** The state that an object is in. */
export type CurrentState = { id: string; workflow: WorkflowDefinition; state: WorkflowState };

/**
 * The state of an object in the workflow of its type; undefined for types without one. A state that the workflow does
 * not know, after the type got another workflow, counts as the first one (as in DCWorkflow): never as no rules at all,
 * which would leave private content to the rules of its container.
 */
export function stateOf(
  site: Workflows,
  { type, reviewState }: { type: string; reviewState: string | null },
): CurrentState | undefined {
  const workflow = workflowOf(site, type);
  if (!workflow) return undefined;
  const id = reviewState !== null && Object.hasOwn(workflow.states, reviewState) ? reviewState : workflow.initial_state;
  const state = workflow.states[id];
  return state && { id, workflow, state };
}
