/** What an object says about one permission: the roles that have it, and whether those acquired from above have it too. */
export type PermissionSetting = { roles: string[]; acquire: boolean };

/** What the security of one object depends on; lists of them run from the object up to the root. */
export type SecurityNode = {
  /** Local roles: principal (`user:<id>` or `group:<id>`) to roles. */
  localRoles: Record<string, string[]>;
  /** Whether local roles given above count here. */
  inheritRoles: boolean;
  /** Settings of permissions at this object: its own, else those of its workflow state. */
  settings: Record<string, PermissionSetting>;
};

/** Roles that have a permission anywhere where nothing else is said. */
export type RoleMap = Record<string, string[]>;

/**
 * Roles that have `permission` on the first node of `chain` (the object, then its container, up to
 * the root): settings are added up as long as they acquire; the site's role map ends the chain.
 */
export function rolesWith(permission: string, chain: readonly SecurityNode[], roleMap: RoleMap): Set<string> {
  const roles = new Set<string>();
  for (const node of chain) {
    const setting = node.settings[permission];
    if (!setting) continue;
    for (const role of setting.roles) roles.add(role);
    if (!setting.acquire) return roles;
  }
  for (const role of roleMap[permission] ?? []) roles.add(role);
  return roles;
}

/** Local roles that count at the first node of `chain`: its own and, where it inherits, those above. */
export function localRolesAt(chain: readonly SecurityNode[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const node of chain) {
    for (const [principal, roles] of Object.entries(node.localRoles)) {
      const known = found.get(principal) ?? new Set<string>();
      for (const role of roles) known.add(role);
      found.set(principal, known);
    }
    if (!node.inheritRoles) break;
  }
  return found;
}
