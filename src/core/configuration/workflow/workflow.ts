import type { Transaction } from '../../../database/database.ts';
import type { Caller } from '../../security/caller.ts';
import { can, type PermissionSetting, type RoleMap, rolesOf, type SecurityNode } from '../../security/can.ts';

type WorkflowState = {
  title: string;
  /** Ids of the transitions that leave this state, in order. */
  transitions: string[];
  permissions: Record<string, PermissionSetting>;
};

/**
 * A transition. All guards that are given must pass: any of the permissions, any of the roles, any of the groups, and all
 * conditions, which features bring (`GuardCondition`).
 */
export type WorkflowTransition = {
  title: string;
  new_state: string;
  guard?: { permissions?: string[]; roles?: string[]; groups?: string[]; conditions?: string[] };
};

/** A workflow, as stored: a profile's `workflows/<id>.json`. */
export type WorkflowDefinition = {
  id: string;
  title: string;
  description?: string;
  initial_state: string;
  states: Record<string, WorkflowState>;
  transitions: Record<string, WorkflowTransition>;
};

/** The workflow of a type; undefined for types without a workflow and for removed workflows. */
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

type Workflows = Parameters<typeof workflowOf>[0];

/** The state of an object. */
export type CurrentState = { id: string; workflow: WorkflowDefinition; state: WorkflowState };

/**
 * The state of an object in the workflow of its type; undefined for types without a workflow. A state that the workflow lacks, after a change of the
 * type's workflow, counts as the first state (as in DCWorkflow). Without any state, private content would get the rules of its container.
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

/**
 * Says if the guard of a transition lets the caller pass on the first node of `chain`. The caller must have one of the permissions,
 * one of the roles and one of the groups; an empty or missing list requires nothing (DCWorkflow's Guard).
 */
export function passesGuard(
  { guard }: Pick<WorkflowTransition, 'guard'>,
  caller: Caller,
  chain: readonly SecurityNode[],
  roleMap: RoleMap,
): boolean {
  if (!guard) return true;
  const { permissions, roles, groups } = guard;
  if (permissions?.length && !permissions.some((permission) => can(permission, caller, chain, roleMap))) return false;
  const own = roles?.length ? rolesOf(caller, chain) : undefined;
  if (roles?.length && !roles.some((role) => own?.has(role))) return false;
  return !groups?.length || groups.some((group) => caller.groups.includes(group));
}

/** Context of a guard: the content, the caller and the transition. */
export type GuardContext = {
  caller: Caller;
  /** The content: its type and the state that it is in. */
  node: { type: string; reviewState: string | null };
  /** The security settings of the content and of all containers above it, the content first. */
  chain: readonly SecurityNode[];
  workflow: WorkflowDefinition;
  /** Id of the transition. */
  transition: string;
};

/** A condition that guards of transitions can name in `conditions`, beside permissions, roles and groups. */
export type GuardCondition = {
  name: string;
  /** Says if the transition is offered. It must be quick, because it is called for each transition of each shown object. */
  passes(context: GuardContext): boolean;
  /**
   * Checks objects in the database once the transition is made, and returns the reasons against it by the numbers of objects. The request fails if
   * the reason is for the object that it names; other such objects stay unchanged, with everything below them. The objects are locked.
   */
  refuse?(tx: Transaction, context: RefusalContext): Promise<ReadonlyMap<number, string>>;
};

/** Context of a refusal: the transition, and the objects (all at once) that are to make it. */
export type RefusalContext = {
  caller: Caller;
  /** Id of the transition. */
  transition: string;
  /** Numbers of the objects, `oid` in `content`. */
  oids: readonly number[];
};

/** The conditions that the features of a kernel bring, by name. */
export type GuardConditions = ReadonlyMap<string, GuardCondition>;

/** Says if all conditions hold that the guard of a transition names. A condition that no feature brings does not hold. */
export const passesConditions = (
  { guard }: Pick<WorkflowTransition, 'guard'>,
  conditions: GuardConditions,
  context: GuardContext,
): boolean => (guard?.conditions ?? []).every((name) => conditions.get(name)?.passes(context) === true);
