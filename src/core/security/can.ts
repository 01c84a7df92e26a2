import { ANONYMOUS, type Caller, callerAt, viewsAs } from './caller.ts';
import { ACCESS_INACTIVE, MODIFY, PROPOSE, USE_API, VIEW } from './permissions.ts';

/** Roles of the caller on the first node of `chain`: global roles, local roles, and the role of everybody. */
export const rolesOf = (caller: Caller, chain: readonly SecurityNode[]): Set<string> =>
  new Set(rolesFrom(caller, chain));

/** The same roles one by one, some of them repeatedly. Most checks end at a global role. */
function* rolesFrom(asking: Caller, chain: readonly SecurityNode[]): Generator<string> {
  const caller = asking.within ? confinedAt(asking, pathOf(chain)) : asking;
  yield* caller.roles;
  yield 'Anonymous';
  if (caller.id === null) return;
  yield 'Authenticated';
  const nodes = inheritedNodes(chain);
  for (const principal of caller.principals)
    for (const { localRoles } of nodes) if (Object.hasOwn(localRoles, principal)) yield* localRoles[principal] ?? [];
}

/** Returns the caller as limited at a path. A link passes on the right to view, but no roles. */
const confinedAt = (asking: Caller, path: string | undefined): Caller =>
  asking.within?.views === undefined ? callerAt(asking, path) : ANONYMOUS;

/** The path of the first node of `chain`, or of the content that it belongs to. */
const pathOf = (chain: readonly SecurityNode[]): string | undefined =>
  chain.find(({ path }) => path !== undefined)?.path;

/** Permissions for viewing; a link passes on all of them. */
const VIEWING: ReadonlySet<string> = new Set([VIEW, ACCESS_INACTIVE, USE_API]);

/**
 * Says if the caller has `permission` on the first node of `chain` (the object, then its container, up to the root). This function
 * decides all permissions on single objects; `viewersOf` decides for lists.
 */
export function can(permission: string, caller: Caller, chain: readonly SecurityNode[], roleMap: RoleMap): boolean {
  const hidden = hiddenIn(chain);
  const shown = caller.within && viewsAs(caller, pathOf(chain));
  return (
    (hidden === undefined || INACTIVE_PERMISSIONS.some((one) => holds(one, shown ?? caller, hidden, roleMap))) &&
    (holds(permission, shown && VIEWING.has(permission) ? shown : caller, chain, roleMap) ||
      mayRehearse(permission, caller, chain, roleMap))
  );
}

/** Says if the caller does dry runs with the permission, and may view and propose here. */
const mayRehearse = (permission: string, caller: Caller, chain: readonly SecurityNode[], roleMap: RoleMap): boolean =>
  caller.rehearses?.has(permission) === true &&
  [VIEW, PROPOSE].every((needed) => holds(needed, caller, chain, roleMap));

/** Permissions of which one is enough to see content outside of its dates of publication, if dates hide content. */
export const INACTIVE_PERMISSIONS = [ACCESS_INACTIVE, MODIFY];

/**
 * The chain of the content of the first node of `chain` (comments have no path), if the content is hidden by its dates; undefined otherwise. The
 * dates of its containers do not count, as in Plone.
 */
function hiddenIn(chain: readonly SecurityNode[]): readonly SecurityNode[] | undefined {
  const at = chain.findIndex(({ path }) => path !== undefined);
  return chain[at]?.hidden ? chain.slice(at) : undefined;
}

/** Says if roles give the caller the permission, independently of the dates. */
function holds(permission: string, caller: Caller, chain: readonly SecurityNode[], roleMap: RoleMap): boolean {
  const { nodes, endsAtSite } = settingsAt(permission, chain);
  for (const role of rolesFrom(caller, chain)) {
    if (endsAtSite && roleMap[permission]?.includes(role)) return true;
    if (nodes.some(({ settings }) => settings[permission]?.roles.includes(role))) return true;
  }
  return false;
}

/** Setting of one permission on an object: the roles that have it. With `acquire`, roles acquired from above have it too. */
export type PermissionSetting = { roles: string[]; acquire: boolean };

/** Data that decides the security of one object; lists of nodes run from the object up to the root. */
export type SecurityNode = {
  /** Local roles: principal (`user:<id>` or `group:<id>`) to roles. */
  localRoles: Record<string, string[]>;
  /** True if local roles of containers count here. */
  inheritRoles: boolean;
  /** Settings of permissions at this object: its own settings, else the settings of its workflow state. */
  settings: Record<string, PermissionSetting>;
  /** Its path, for callers with rights in some subtrees only; absent for nodes without a path, such as comments. */
  path?: string;
  /** True if the object is outside of its dates of publication, on a site where dates hide content. */
  hidden?: boolean;
};

/** The default roles of each permission. */
export type RoleMap = Record<string, string[]>;

/**
 * Roles that have `permission` on the first node of `chain` (the object, then its container, up to
 * the root): settings are added up as long as they acquire; the site's role map ends the chain.
 */
export function rolesWith(permission: string, chain: readonly SecurityNode[], roleMap: RoleMap): Set<string> {
  const { nodes, endsAtSite } = settingsAt(permission, chain);
  const roles = new Set(endsAtSite ? roleMap[permission] : []);
  for (const { settings } of nodes) for (const role of settings[permission]?.roles ?? []) roles.add(role);
  return roles;
}

/**
 * Nodes of a chain whose settings of `permission` count at its first node: up to the first setting that does not acquire. `endsAtSite`
 * is true if no setting stops there, so that the site's role map counts as well.
 */
export function settingsAt<N extends Pick<SecurityNode, 'settings'>>(
  permission: string,
  chain: readonly N[],
): { nodes: readonly N[]; endsAtSite: boolean } {
  const last = chain.findIndex(({ settings }) => settings[permission]?.acquire === false);
  return last === -1 ? { nodes: chain, endsAtSite: true } : { nodes: chain.slice(0, last + 1), endsAtSite: false };
}

/** Nodes of a chain whose local roles count at its first node: up to the first node that does not inherit the roles above it. */
export function inheritedNodes<N extends Pick<SecurityNode, 'inheritRoles'>>(chain: readonly N[]): readonly N[] {
  const last = chain.findIndex(({ inheritRoles }) => !inheritRoles);
  return last === -1 ? chain : chain.slice(0, last + 1);
}

/** Local roles that count at the first node of `chain`: its own, and if it inherits, the roles above. */
export function localRolesAt(chain: readonly SecurityNode[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { localRoles } of inheritedNodes(chain)) {
    for (const [principal, roles] of Object.entries(localRoles)) {
      const known = found.get(principal) ?? new Set<string>();
      for (const role of roles) known.add(role);
      found.set(principal, known);
    }
  }
  return found;
}

/**
 * The viewers of the first node of `chain`, as the tokens of the view index: `role:<Role>` for roles, `user:<id>` and `group:<id>` for principals
 * that have such a role here only by local roles. Equal to `can(VIEW, …)` for every caller, apart from dates of publication; a property test compares
 * both.
 */
export const viewersOf = (chain: readonly SecurityNode[], roleMap: RoleMap): string[] =>
  holdersOf(rolesWith(VIEW, chain, roleMap), chain);

/** The viewers of the first node of `chain` who may also view it outside of its dates of publication. */
export const inactiveViewersOf = (chain: readonly SecurityNode[], roleMap: RoleMap): string[] =>
  holdersOf(new Set(INACTIVE_PERMISSIONS.flatMap((one) => [...rolesWith(one, chain, roleMap)])), chain);

/**
 * Returns the part of a chain that decides about the viewers of objects below its first node. Below two chains with the same result, the same users
 * see everything.
 */
export const passedOn = (chain: readonly SecurityNode[], roleMap: RoleMap): string =>
  JSON.stringify([
    [VIEW, ...INACTIVE_PERMISSIONS].map((permission) => [...rolesWith(permission, chain, roleMap)].sort()),
    [...localRolesAt(chain)]
      .map(([principal, roles]): [string, string[]] => [principal, [...roles].sort()])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);

/** The tokens of principals that have one of the roles on the first node of `chain`. */
function holdersOf(roles: ReadonlySet<string>, chain: readonly SecurityNode[]): string[] {
  const tokens = new Set([...roles].map((role) => `role:${role}`));
  for (const [principal, local] of localRolesAt(chain)) {
    for (const role of local) if (roles.has(role)) tokens.add(principal);
  }
  return [...tokens].sort();
}
