import type { WorkflowDefinition } from './definition.ts';

/** The workflow of a type; undefined for types without one and for workflows that are gone. */
export function workflowOf(
  {
    types,
    workflows,
  }: { types: ReadonlyMap<string, { workflow: string | null }>; workflows: ReadonlyMap<string, WorkflowDefinition> },
  type: string,
): WorkflowDefinition | undefined {
  const id = types.get(type)?.workflow;
  return id ? workflows.get(id) : undefined;
}
