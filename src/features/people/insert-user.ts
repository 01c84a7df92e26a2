import { has, reject } from '../../content/permissions.ts';
import { type FieldProblem, Forbidden, ValidationFailed } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import { MANAGE_USERS } from '../../security/permissions.ts';
import type { Site } from '../../site/site.ts';
import type { Queryable } from '../../storage/database.ts';
import type { StoredFile } from '../../types/field-kind.ts';
import { requireAuthority } from './authority.ts';
import type { PeopleChange } from './change-people.ts';
import { requireFreeName } from './need-free-name.ts';
import type { NewUser } from './new-user.ts';
import { queuePasswordMail } from './password-mail.ts';
import { ADD_MEMBER } from './permissions.ts';
import { mayRegister } from './self-registration.ts';
import { insertAccount } from './statements/people-accounts.ts';
import { rolesOfGroups } from './statements/people-groups.ts';
import { addMembers } from './statements/people-members.ts';
import { knownPrincipals } from './statements/people-names.ts';

/** Roles of a user of whom nothing else is said. */
const DEFAULT_ROLES = ['Member'];

/**
 * Makes the account of a user that was read by `readNewUser`, with its memberships, and has the link to set a password
 * mailed where there is none. `hash` is that of the password. A Manager or who else may manage users can give roles and
 * groups, up to their own rights.
 * @throws Unauthorized or Forbidden, ValidationFailed of type WrongParameterError for a taken name or an unknown group.
 */
export async function insertUser(
  { tx, site, root }: PeopleChange,
  caller: Caller,
  { user, hash, portrait }: { user: NewUser; hash: string | null; portrait?: StoredFile | null | undefined },
): Promise<void> {
  const manages = has(site, caller, root, MANAGE_USERS);
  if (!manages && !has(site, caller, root, ADD_MEMBER) && !mayRegister(site, caller)) reject(caller);
  if (!manages && (user.roles || user.groups.length > 0)) throw new Forbidden('You may not give roles or groups.');
  const { name, fullname, email, properties, roles = DEFAULT_ROLES, groups } = user;
  if (user.roles) requireAuthority(site, caller, roles);
  await requireGroups(tx, site, caller, groups);
  await requireFreeName(tx, name, user.nameField);
  await insertAccount(tx, {
    id: name,
    login: name,
    password: hash,
    fullname,
    email,
    roles,
    properties,
    portrait: portrait ?? null,
    created: new Date(),
  });
  await addMembers(tx, groups, { ids: [name], isGroup: false });
  if (hash === null) await queuePasswordMail(tx, name, 'welcome');
}

/** Throws unless all groups exist and give nothing beyond the rights of the caller. */
async function requireGroups(tx: Queryable, site: Site, caller: Caller, groups: string[]): Promise<void> {
  if (groups.length === 0) return;
  const known = await knownPrincipals(tx, groups);
  const unknown = groups.find((id) => !known.groups.has(id));
  if (unknown !== undefined) {
    const problem: FieldProblem = { field: 'groups', message: `There is no group "${unknown.slice(0, 100)}".` };
    throw new ValidationFailed([problem], 'WrongParameterError');
  }
  for (const roles of (await rolesOfGroups(tx, groups)).values()) requireAuthority(site, caller, roles);
}
