import { accounts, type Caller, callers, type Queryable } from '#core';
import { BadRequest } from '#lib/errors';
import { profilesById } from '../people/statements/accounts.ts';
import { groupsById, rolesOfEverybody } from '../people/statements/groups.ts';
import type { Origin } from './decision.ts';

/** The name by which requests ask about visitors who have not logged in. */
export const VISITOR = 'Anonymous';

const NO_MEMBERS = { size: 0, start: 0 };

/** The user that a request asks about. */
export type Subject = Omit<Origin, 'groups'> & {
  /** Null for visitors. */
  id: string | null;
  title: string;
  groups: readonly { id: string; title: string; ownRoles: readonly string[] }[];
  /** The rights that a disabled user would have as an enabled one; undefined for others. */
  onceEnabled?: Caller;
};

const NOBODY: Subject = { id: null, title: VISITOR, caller: callers.ANONYMOUS, ownRoles: [], groups: [] };

/**
 * Loads a user with roles and groups; visitors for null. A disabled user has the rights of visitors, because all credentials of the user are
 * rejected. Throws BadRequest for an unknown user.
 */
export async function loadSubject(db: Queryable, id: string | null): Promise<Subject> {
  if (id === null) return NOBODY;
  const [profile] = await profilesById(db, [id]);
  if (!profile) throw new BadRequest(`There is no user "${id.slice(0, 100)}".`);
  const title = profile.fullname || profile.id;
  const account = await accounts.load(db, id);
  const ids = profile.groups.map((group) => group.id);
  if (!account) {
    const { roles, login, fullname } = profile;
    return { ...NOBODY, id, title, onceEnabled: callers.of({ id, login, fullname, roles, groups: ids }) };
  }
  const ownRoles = new Map((await groupsById(db, ids, NO_MEMBERS)).map((group) => [group.id, group.ownRoles]));
  ownRoles.set(callers.AUTHENTICATED_USERS, await rolesOfEverybody(db));
  return {
    id,
    title,
    caller: account.caller,
    ownRoles: profile.ownRoles,
    groups: profile.groups.map((group) => ({
      id: group.id,
      title: group.id === callers.AUTHENTICATED_USERS ? 'Logged-in users' : group.title,
      ownRoles: ownRoles.get(group.id) ?? [],
    })),
  };
}
