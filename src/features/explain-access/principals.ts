import { type Caller, callers, type Queryable, type Site } from '#core';
import { BadRequest } from '#lib/errors';
import { profilesById } from '../people/statements/accounts.ts';
import { rolesOfEverybody } from '../people/statements/groups.ts';
import { rightsOfGroups } from './statements.ts';

export const PRINCIPAL_KINDS = ['role', 'user', 'group'] as const;

/** A row of a table: a role, a user or a group, with the caller that decides for it. */
export type RatedPrincipal = {
  type: (typeof PRINCIPAL_KINDS)[number];
  id: string;
  title: string;
  caller: Caller;
};

/** Rights that come from roles and groups alone: the id belongs to no user. */
const memberOf = (roles: readonly string[], groups: readonly string[]): Caller =>
  callers.of({ id: '', login: '', fullname: '', roles, groups });

const idsOf = (type: string, tokens: readonly string[]): string[] =>
  tokens.filter((token) => token.startsWith(`${type}:`)).map((token) => token.slice(type.length + 1));

/** The roles of the site, each as a user who has this role for the whole site and nothing else. */
const ratedRoles = (site: Site, ids: ReadonlySet<string>, everybody: readonly string[]): RatedPrincipal[] =>
  site.roles
    .filter(({ id }) => ids.has(id))
    .map(({ id, title }) => ({
      type: 'role',
      id,
      title,
      caller: id === 'Anonymous' ? callers.ANONYMOUS : memberOf([id, ...everybody], []),
    }));

/**
 * Loads principals by their tokens, `role:<id>`, `user:<id>` and `group:<id>`: roles, then users, then groups. A group stands for a user who is in it
 * and has nothing else, a disabled user for a visitor. Principals that do not exist are left out. Three statements.
 */
export async function loadPrincipals(
  db: Queryable,
  site: Site,
  tokens: readonly string[],
): Promise<Map<string, RatedPrincipal>> {
  const everybody = await rolesOfEverybody(db);
  const groupIds = idsOf('group', tokens);
  const users = (await profilesById(db, idsOf('user', tokens))).map(
    ({ id, login, fullname, roles, groups, disabled }): RatedPrincipal => ({
      type: 'user',
      id,
      title: fullname || id,
      caller: disabled
        ? callers.ANONYMOUS
        : callers.of({ id, login, fullname, roles, groups: groups.map((one) => one.id) }),
    }),
  );
  const groups = (await rightsOfGroups(db, groupIds)).map(
    ({ id, title, groups: above, roles }): RatedPrincipal => ({
      type: 'group',
      id,
      title,
      caller: memberOf([...roles, ...everybody], above),
    }),
  );
  const all = groupIds.includes(callers.AUTHENTICATED_USERS)
    ? [...groups.filter(({ id }) => id !== callers.AUTHENTICATED_USERS), everyUser(everybody)]
    : groups;
  const found = [...ratedRoles(site, new Set(idsOf('role', tokens)), everybody), ...users, ...all];
  return new Map(found.map((principal) => [`${principal.type}:${principal.id}`, principal]));
}

/** The group of all users, which needs no row of its own. */
const everyUser = (roles: readonly string[]): RatedPrincipal => ({
  type: 'group',
  id: callers.AUTHENTICATED_USERS,
  title: 'Logged-in users',
  caller: memberOf(roles, []),
});

/** Throws BadRequest for tokens of principals that do not exist. */
export function requireKnownPrincipals(tokens: readonly string[], found: ReadonlyMap<string, RatedPrincipal>): void {
  const unknown = tokens.find((token) => !found.has(token));
  if (unknown !== undefined)
    throw new BadRequest(
      `There is no "${unknown.slice(0, 200)}". Name roles, users and groups as role:<id>, user:<id> and group:<id>.`,
    );
}
