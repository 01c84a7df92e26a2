import type { Caller } from '../security/caller.ts';
import { can, rolesOf } from '../security/can.ts';
import type { RoleMap, SecurityNode } from '../security/role-settings.ts';
import type { WorkflowTransition } from './definition.ts';

/**
 * Whether the guard of a transition lets the caller pass on the first node of `chain`. Of permissions, roles and groups
 * each that is given must be met, by any one of its list; an empty list asks for nothing (DCWorkflow's Guard).
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
