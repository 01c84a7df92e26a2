import type { Site } from './site.ts';

/** The permission to give a role on a piece of content (`@sharing`). */
export const delegationOf = (role: string): string => `Sharing page: Delegate ${role} role`;

/**
 * All permissions that the site uses, by name: permissions of roles, states, guards, types, fields and actions, and permissions to delegate roles.
 */
export function knownPermissions(site: Site): string[] {
  const { roleMap, roles, workflows, types, actions } = site;
  const names = new Set([...Object.keys(roleMap), ...roles.map(({ id }) => delegationOf(id))]);
  for (const { states, transitions } of workflows.values()) {
    for (const { permissions } of Object.values(states)) for (const name of Object.keys(permissions)) names.add(name);
    for (const { guard } of Object.values(transitions)) for (const name of guard?.permissions ?? []) names.add(name);
  }
  for (const { add_permission: added, fields } of types.values()) {
    if (added !== undefined) names.add(added);
    for (const { read_permission: read, write_permission: write } of fields)
      for (const name of [read, write]) if (name !== undefined) names.add(name);
  }
  for (const { permission } of [...actions.values()].flat()) if (permission !== undefined) names.add(permission);
  return [...names].sort();
}
