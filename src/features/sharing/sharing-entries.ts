import { type Static, Type } from 'typebox';
import { access, type Caller, callers, type Queryable, type ResolvedNode, type Site, security } from '#core';
import { listProfiles, profilesById } from '../people/statements/accounts.ts';
import { groupsById, listGroups, rolesOfGroups } from '../people/statements/groups.ts';
import { delegableRoles } from './share-content.ts';

/** Maximum number of users, and of groups, that a search adds. */
const MAX_FOUND = 100;
const NO_MEMBERS = { size: 0, start: 0 };

/** The source of a role of a principal: this object, a container, or the whole site. */
const RoleSource = Type.Union([Type.Boolean(), Type.Literal('acquired'), Type.Literal('global')]);
type RoleSource = Static<typeof RoleSource>;

/** The roles that can be given on content, and who has them. */
export const Sharing = Type.Object({
  available_roles: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })),
  entries: Type.Array(
    Type.Object({
      id: Type.String(),
      login: Type.Union([Type.String(), Type.Null()]),
      title: Type.String(),
      type: Type.Union([Type.Literal('user'), Type.Literal('group')]),
      disabled: Type.Boolean({ description: 'The row is that of the caller.' }),
      roles: Type.Record(Type.String(), RoleSource),
    }),
  ),
  inherit: Type.Boolean(),
});

type Principal = {
  id: string;
  type: 'user' | 'group';
  login: string | null;
  title: string;
  globalRoles: readonly string[];
};

/**
 * Returns the principals with their roles on an object, of the roles that the caller may delegate. The group of all users is always listed, with
 * `search` also principals whose id or name matches. E-mail addresses are not searched: callers may not read them.
 */
export async function sharingOf(
  db: Queryable,
  {
    site,
    caller,
    resolved,
    search,
  }: { site: Site; caller: Caller; resolved: ResolvedNode; search: string | undefined },
): Promise<Static<typeof Sharing>> {
  const available = delegableRoles(site, caller, resolved);
  const [, ...above] = access.chain(site, resolved);
  const own = new Map(
    Object.entries(resolved.object.localRoles).map(([principal, roles]) => [principal, new Set(roles)]),
  );
  const acquired = resolved.object.inheritRoles ? security.localRolesAt(above) : new Map<string, Set<string>>();
  const given = [...own, ...acquired]
    .filter(([, roles]) => available.some(({ id }) => roles.has(id)))
    .map(([principal]) => principal);
  const principals = await loadPrincipals(db, new Set([...given, `group:${callers.AUTHENTICATED_USERS}`]), search);
  const sourceOf = ({ id, type, globalRoles }: Principal, role: string): RoleSource => {
    const token = `${type}:${id}`;
    if (own.get(token)?.has(role)) return true;
    if (acquired.get(token)?.has(role)) return 'acquired';
    return globalRoles.includes(role) ? 'global' : false;
  };
  return {
    available_roles: available,
    entries: principals.map((principal) => ({
      id: principal.id,
      login: principal.login,
      title: principal.title,
      type: principal.type,
      // Plone's sharing page disables the row of its own user, to prevent a lock-out.
      disabled: principal.type === 'user' && principal.id === caller.id,
      roles: Object.fromEntries(available.map(({ id }) => [id, sourceOf(principal, id)])),
    })),
    inherit: resolved.object.inheritRoles,
  };
}

/** Loads the principals of the tokens and the principals that match `search`: groups first, each kind ordered by id. */
async function loadPrincipals(
  db: Queryable,
  tokens: ReadonlySet<string>,
  search: string | undefined,
): Promise<Principal[]> {
  const idsOf = (type: string) =>
    [...tokens].filter((token) => token.startsWith(`${type}:`)).map((token) => token.slice(type.length + 1));
  const page = { limit: MAX_FOUND, offset: 0 };
  const users = [
    ...(await profilesById(db, idsOf('user'))),
    ...(search ? await listProfiles(db, { name: search, ...page }) : []),
  ];
  const groups = [
    ...(await groupsById(db, idsOf('group'), NO_MEMBERS)),
    ...(search ? await listGroups(db, { search, ...page }, NO_MEMBERS) : []),
  ];
  const groupRoles = await rolesOfGroups(db, [callers.AUTHENTICATED_USERS, ...groups.map(({ id }) => id)]);
  const found = new Map<string, Principal>();
  // Missing principals keep this entry; existing principals replace it below.
  for (const type of ['group', 'user'] as const)
    for (const id of idsOf(type)) found.set(`${type}:${id}`, { id, type, login: null, title: id, globalRoles: [] });
  for (const { id, login, fullname, roles } of users)
    found.set(`user:${id}`, { id, type: 'user', login, title: fullname || id, globalRoles: roles });
  for (const { id, title } of groups)
    found.set(`group:${id}`, {
      id,
      type: 'group',
      login: null,
      title: title || id,
      globalRoles: groupRoles.get(id) ?? [],
    });
  const everybody = {
    id: callers.AUTHENTICATED_USERS,
    type: 'group' as const,
    login: null,
    title: 'Logged-in users',
    globalRoles: groupRoles.get(callers.AUTHENTICATED_USERS) ?? [],
  };
  found.set(`group:${callers.AUTHENTICATED_USERS}`, everybody);
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, principal]) => principal);
}
