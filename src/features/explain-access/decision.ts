import { type Caller, permissions, security } from '#core';

/** Everything that one decision depends on. The chain begins with the content and ends with the root. */
export type Question = {
  permission: string;
  caller: Caller;
  chain: readonly security.Node[];
  roleMap: security.RoleMap;
  /** The reason why the credentials are not valid for the request; undefined when they are. */
  limit: string | undefined;
};

/** The parts of a decision in their order. For another result the deciding part has to change first. */
export const LINKS = ['credentials', 'dates', 'api', 'roles'] as const;
export type Link = (typeof LINKS)[number];

const may = ({ caller, chain, roleMap }: Question, permission: string): boolean =>
  security.can(permission, caller, chain, roleMap);

/** Says if a request that needs the permission passes: by its credentials, by the permission to use the API, and by the asked permission. */
export const isAllowed = (question: Question): boolean =>
  question.limit === undefined && may(question, permissions.USE_API) && may(question, question.permission);

/** Says if the dates of publication let the caller pass, or have no effect. */
export function passesDates(question: Question): boolean {
  const [first, ...above] = question.chain;
  if (!first?.hidden) return true;
  const shown = { ...question, chain: [{ ...first, hidden: false }, ...above] };
  return security.INACTIVE_PERMISSIONS.some((permission) => may(shown, permission));
}

/** Returns the link that decides: the first link that stops the request, or the roles. */
export function decidingLink(question: Question): Link {
  if (question.limit !== undefined) return 'credentials';
  if (!passesDates(question)) return 'dates';
  return may(question, permissions.USE_API) ? 'roles' : 'api';
}

/** The permission that the roles have to grant: the permission of the deciding link. */
export const decidingPermission = (question: Question): string =>
  decidingLink(question) === 'api' ? permissions.USE_API : question.permission;

/** The caller with the places that the roles come from. */
export type Origin = {
  caller: Caller;
  /** Roles of the account itself. */
  ownRoles: readonly string[];
  /** All groups of the caller, nested ones included, each with the roles of the group itself. */
  groups: readonly { id: string; ownRoles: readonly string[] }[];
};

/** One reason why the caller has a role. `principal` is `user:<id>` or `group:<id>`; `node` is the place of a local role in the chain. */
export type RoleSource =
  | { from: 'everybody' | 'logged-in' | 'account' }
  | { from: 'group'; principal: string }
  | { from: 'sharing'; principal: string; node: number };

/** A local role: who has it, and at which place of the chain it was given. */
export type LocalRole = { role: string; principal: string; node: number };

/** Local roles of the caller at the nodes of a chain, beginning at the place `from`. */
const localRolesFrom = ({ id, principals }: Caller, chain: readonly security.Node[], from = 0): LocalRole[] =>
  id === null
    ? []
    : chain
        .slice(from)
        .flatMap(({ localRoles }, at) =>
          principals.flatMap((principal) =>
            (localRoles[principal] ?? []).map((role) => ({ role, principal, node: from + at })),
          ),
        );

/** Local roles of the caller that count at the first node of the chain. */
export const countingLocalRoles = (caller: Caller, chain: readonly security.Node[]): LocalRole[] =>
  localRolesFrom(caller, security.inheritedNodes(chain));

/** Local roles of the caller above the node that stops them. */
export const withheldRoles = (caller: Caller, chain: readonly security.Node[]): LocalRole[] =>
  localRolesFrom(caller, chain, security.inheritedNodes(chain).length);

/** The place in the chain that stops the local roles given above it; undefined without such a place. */
export function blockOf(chain: readonly security.Node[]): number | undefined {
  const at = security.inheritedNodes(chain).length - 1;
  return chain[at]?.inheritRoles === false && at < chain.length - 1 ? at : undefined;
}

/** Returns all roles of the caller on the first node of the chain, by id, each with all the reasons for it. */
export function roleSources(
  { caller, ownRoles, groups }: Origin,
  chain: readonly security.Node[],
): { role: string; sources: RoleSource[] }[] {
  const local = countingLocalRoles(caller, chain);
  return [...security.rolesOf(caller, chain)].sort().map((role) => {
    const sources: RoleSource[] = [];
    if (role === 'Anonymous') sources.push({ from: 'everybody' });
    if (role === 'Authenticated') sources.push({ from: 'logged-in' });
    if (ownRoles.includes(role)) sources.push({ from: 'account' });
    for (const group of groups)
      if (group.ownRoles.includes(role)) sources.push({ from: 'group', principal: `group:${group.id}` });
    for (const { principal, node } of local.filter((one) => one.role === role))
      sources.push({ from: 'sharing', principal, node });
    return { role, sources };
  });
}

/** A setting of the roles that have the permission, at the node of a place of the chain or of the site. */
export type SettingSource = { node: number | undefined; roles: readonly string[]; acquire: boolean };

/** Returns the settings that say which roles have the permission on the first node of the chain, the nearest first. */
export function settingSources(
  permission: string,
  { chain, roleMap }: Pick<Question, 'chain' | 'roleMap'>,
): SettingSource[] {
  const { nodes, endsAtSite } = security.settingsAt(permission, chain);
  const own = nodes.flatMap(({ settings }, node): SettingSource[] => {
    const setting = settings[permission];
    return setting ? [{ node, ...setting }] : [];
  });
  return endsAtSite ? [...own, { node: undefined, roles: roleMap[permission] ?? [], acquire: false }] : own;
}
