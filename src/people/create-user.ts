import { hashPassword } from '../auth/passwords.ts';
import { has, refuse } from '../content/permissions.ts';
import { type FieldProblem, Forbidden, ValidationFailed } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json-object.ts';
import type { Caller } from '../security/caller.ts';
import { MANAGE_USERS } from '../security/permissions.ts';
import type { Kernel } from '../site/kernel.ts';
import type { Site } from '../site/site.ts';
import type { Queryable } from '../storage/database.ts';
import { insertAccount } from '../storage/statements/people-accounts.ts';
import { rolesOfGroups } from '../storage/statements/people-groups.ts';
import { addMembers } from '../storage/statements/people-members.ts';
import { knownPrincipals } from '../storage/statements/people-names.ts';
import { needAuthority } from './authority.ts';
import { changePeople } from './change-people.ts';
import { emailAsLogin, loginOfEmail } from './email-as-login.ts';
import { needFreeName } from './need-free-name.ts';
import { ADD_MEMBER } from './permissions.ts';
import { MAX_NAME, passwordProblem, userNameProblem } from './person-rules.ts';
import { readGroups } from './read-groups.ts';
import { readRoles } from './read-roles.ts';
import { readText, refuseProblems } from './read-text.ts';
import { checkEmail, readUserTexts } from './read-user.ts';

/** Roles of a user of whom nothing else is said. */
const DEFAULT_ROLES = ['Member'];

/**
 * Makes a user from the body of POST `@users`; answers the id. A Manager or who else may manage users can give roles
 * and groups, up to their own rights.
 * @throws ValidationFailed of type WrongParameterError with a problem for each field (plone.restapi §7 @users).
 */
export async function createUser(
  kernel: Kernel,
  { caller, input }: { caller: Caller; input: JsonObject },
): Promise<string> {
  const user = readNewUser(await kernel.sites.current(), input);
  const hash = await hashPassword(user.password);
  return changePeople(kernel, async ({ tx, site, root }) => {
    const manages = has(site, caller, root, MANAGE_USERS);
    if (!manages && !has(site, caller, root, ADD_MEMBER)) refuse(caller);
    if (!manages && (user.roles || user.groups.length > 0)) throw new Forbidden('You may not give roles or groups.');
    const { name, fullname, email, properties, roles = DEFAULT_ROLES, groups } = user;
    if (user.roles) needAuthority(site, caller, roles);
    await needGroups(tx, site, caller, groups);
    await needFreeName(tx, name, user.nameField);
    await insertAccount(tx, {
      id: name,
      login: name,
      password: hash,
      fullname,
      email,
      roles,
      properties,
      created: new Date(),
    });
    await addMembers(tx, groups, { ids: [name], isGroup: false });
    return name;
  });
}

type NewUser = {
  name: string;
  /** The field of the body that the name comes from. */
  nameField: string;
  password: string;
  fullname: string;
  email: string;
  properties: Record<string, string>;
  roles: string[] | undefined;
  groups: string[];
};

function readNewUser(site: Site, input: JsonObject): NewUser {
  const problems: FieldProblem[] = [];
  const texts = readUserTexts(problems, input);
  checkEmail(problems, texts.email);
  const { email = '', fullname = '', properties } = texts;
  const username = readText(problems, input, 'username', { max: MAX_NAME });
  const nameField = emailAsLogin(site) ? 'email' : 'username';
  if (nameField === 'email' && username)
    problems.push({ field: 'username', message: 'Is not allowed: the e-mail address is the login name.' });
  const name = nameField === 'email' ? loginOfEmail(email) : (username ?? '');
  const nameProblem = userNameProblem(name);
  if (nameProblem && !problems.some(({ field }) => field === nameField))
    problems.push({ field: nameField, message: nameProblem });
  const password = readNewPassword(problems, input);
  const roles = readRoles(problems, site, input.roles)?.give;
  const groups = readGroups(problems, input.groups) ?? [];
  refuseProblems(problems);
  return { name, nameField, password, fullname, email, properties, roles, groups };
}

/** The password of a new user. The site sends no mail by which users could set one themselves. */
function readNewPassword(problems: FieldProblem[], { password, sendPasswordReset }: JsonObject): string {
  const given = password !== undefined && password !== null && password !== '';
  if (sendPasswordReset === true) {
    problems.push(
      given
        ? { field: 'sendPasswordReset', message: 'Is not allowed together with a password.' }
        : { field: 'sendPasswordReset', message: 'The site has no mail host: give a password.' },
    );
    return '';
  }
  const text = typeof password === 'string' ? password : '';
  const message = given ? (typeof password === 'string' ? passwordProblem(text) : 'Must be a text.') : 'Is required.';
  if (message) problems.push({ field: 'password', message });
  return text;
}

/** Throws unless all groups exist and give nothing beyond the rights of the caller. */
async function needGroups(tx: Queryable, site: Site, caller: Caller, groups: string[]): Promise<void> {
  if (groups.length === 0) return;
  const known = await knownPrincipals(tx, groups);
  const unknown = groups.find((id) => !known.groups.has(id));
  if (unknown !== undefined) {
    throw new ValidationFailed(
      [{ field: 'groups', message: `There is no group "${unknown.slice(0, 100)}".` }],
      'WrongParameterError',
    );
  }
  for (const roles of (await rolesOfGroups(tx, groups)).values()) needAuthority(site, caller, roles);
}
