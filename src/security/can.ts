import type { Caller } from './caller.ts';
import { localRolesAt, type RoleMap, rolesWith, type SecurityNode } from './role-settings.ts';

/** Roles of the caller on the first node of `chain`: global ones, local ones, and what everybody has. */
export function rolesOf(caller: Caller, chain: readonly SecurityNode[]): Set<string> {
  const roles = new Set([...caller.roles, 'Anonymous']);
  if (caller.id === null) return roles;
  roles.add('Authenticated');
  const local = localRolesAt(chain);
  for (const principal of caller.principals) for (const role of local.get(principal) ?? []) roles.add(role);
  return roles;
}

/**
 * Whether the caller has `permission` on the first node of `chain` (the object, then its container,
 * up to the root). The one place where single objects are decided; lists are decided by `viewersOf`.
 */
export function can(permission: string, caller: Caller, chain: readonly SecurityNode[], roleMap: RoleMap): boolean {
  const allowed = rolesWith(permission, chain, roleMap);
  if (allowed.has('Anonymous')) return true;
  for (const role of rolesOf(caller, chain)) if (allowed.has(role)) return true;
  return false;
}
