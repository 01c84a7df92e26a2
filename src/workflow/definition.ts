import type { PermissionSetting } from '../security/role-settings.ts';

export type WorkflowState = {
  title: string;
  /** Ids of the transitions that leave this state, in order. */
  transitions: string[];
  permissions: Record<string, PermissionSetting>;
};

/** A transition. All guards that are given must pass: any of the permissions, any of the roles, any of the groups. */
export type WorkflowTransition = {
  title: string;
  new_state: string;
  guard?: { permissions?: string[]; roles?: string[]; groups?: string[] };
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
