import { VIEW } from './permissions.ts';
import { localRolesAt, type RoleMap, rolesWith, type SecurityNode } from './role-settings.ts';

/**
 * Who may view the first node of `chain`, as the tokens of the view index: `role:<Role>` for roles,
 * `user:<id>` and `group:<id>` for those who have such a role here by local roles only.
 * Equal to `can(VIEW, …)` for every caller; a property test holds the two together.
 */
export function viewersOf(chain: readonly SecurityNode[], roleMap: RoleMap): string[] {
  const roles = rolesWith(VIEW, chain, roleMap);
  const tokens = new Set([...roles].map((role) => `role:${role}`));
  for (const [principal, local] of localRolesAt(chain)) {
    for (const role of local) if (roles.has(role)) tokens.add(principal);
  }
  return [...tokens].sort();
}
