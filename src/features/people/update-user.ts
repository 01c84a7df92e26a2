import { setPassword } from '../../auth/accounts.ts';
import { hashPassword } from '../../auth/passwords.ts';
import { has, reject } from '../../content/permissions.ts';
import { type FieldProblem, Forbidden, NotFound } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Caller } from '../../security/caller.ts';
import { MANAGE_USERS } from '../../security/permissions.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';
import { requireAuthority } from './authority.ts';
import { changePeople } from './change-people.ts';
import { emailAsLogin, loginOfEmail } from './email-as-login.ts';
import { requireFreeName } from './need-free-name.ts';
import { newPasswordProblem } from './password-policy.ts';
import { SET_OWN_PROPERTIES } from './permissions.ts';
import { MAX_NAME, userNameProblem } from './person-rules.ts';
import { readPortrait } from './read-portrait.ts';
import { changeRoles, type RoleChange, readRoles } from './read-roles.ts';
import { readText, rejectProblems } from './read-text.ts';
import { checkEmail, readUserTexts, type UserTexts } from './read-user.ts';
import { type AccountChange, updateAccount } from './statements/people-accounts.ts';
import { type Profile, profilesById } from './statements/people-profiles.ts';

/** The address of a user, for errors. */
export const userPath = (id: string): string => `/@users/${id}`;

/**
 * Changes a user by the body of PATCH `@users/<id>`. Everybody may change their own properties; who manages users may
 * change all of those whose roles are not beyond their own rights. A value that stays the same is no change, so that
 * clients can send a whole user back. Passwords of one's own are changed with `changeOwnPassword` alone.
 * @throws Forbidden, NotFound, ValidationFailed of type WrongParameterError.
 */
export async function updateUser(
  kernel: Kernel,
  { caller, id, input }: { caller: Caller; id: string; input: JsonObject },
): Promise<void> {
  const self = caller.id === id;
  if (self && input.password)
    throw new Forbidden('Change your own password with POST to reset-password, by the old one.');
  const now = await kernel.sites.current();
  const wanted = await readUserChange(kernel, now, input);
  const portrait = await readPortrait(kernel, now, input);
  const hash = wanted.password === undefined ? undefined : await hashPassword(wanted.password);
  await changePeople(kernel, async ({ tx, site, root }) => {
    const manages = has(site, caller, root, MANAGE_USERS);
    if (!manages && !(self && has(site, caller, root, SET_OWN_PROPERTIES))) reject(caller);
    const [user] = await profilesById(tx, [id]);
    if (!user) throw new NotFound(userPath(id));
    if (!self) requireAuthority(site, caller, user.roles);
    const change = accountChange(site, user, wanted);
    if (!manages && (change.roles || (change.login !== undefined && !emailAsLogin(site)))) reject(caller);
    requireAuthority(
      site,
      caller,
      (change.roles ?? []).filter((role) => !user.ownRoles.includes(role)),
    );
    if (change.login !== undefined)
      await requireFreeName(tx, change.login, emailAsLogin(site) ? 'email' : 'username', id);
    await updateAccount(tx, id, portrait === undefined ? change : { ...change, portrait });
    if (hash !== undefined) await setPassword(tx, id, hash, new Date());
  });
}

type UserChange = UserTexts & {
  username: string | undefined;
  password: string | undefined;
  roles: RoleChange | undefined;
};

async function readUserChange(kernel: Kernel, site: Site, input: JsonObject): Promise<UserChange> {
  const problems: FieldProblem[] = [];
  const texts = readUserTexts(problems, { site, fieldKinds: kernel.fieldKinds, input });
  const username = readText(problems, input, 'username', { max: MAX_NAME });
  const roles = readRoles(problems, site, input.roles);
  const { password } = input;
  const given = password !== undefined && password !== null && password !== '';
  const text = typeof password === 'string' ? password : undefined;
  const message = !given || text === undefined ? undefined : await newPasswordProblem(kernel, site, text);
  if (given && text === undefined) problems.push({ field: 'password', message: 'Must be a text.' });
  if (message) problems.push({ field: 'password', message });
  rejectProblems(problems);
  return { ...texts, username, roles, password: given ? text : undefined };
}

/** What really changes. An address or login name that stays as it is need not follow the rules for new ones. */
function accountChange(
  site: Site,
  user: Profile,
  { fullname, email, properties, username, roles }: UserChange,
): AccountChange {
  const problems: FieldProblem[] = [];
  const change: AccountChange = { properties };
  if (fullname !== undefined) change.fullname = fullname;
  if (email !== undefined && email !== user.email) {
    checkEmail(problems, email);
    change.email = email;
    if (emailAsLogin(site)) change.login = loginOfEmail(email);
  }
  if (username !== undefined && username !== user.login) {
    if (emailAsLogin(site))
      problems.push({ field: 'username', message: 'Is not allowed: the e-mail address is the login name.' });
    change.login = username;
  }
  const message = change.login === undefined ? undefined : userNameProblem(change.login);
  if (message && problems.length === 0) problems.push({ field: emailAsLogin(site) ? 'email' : 'username', message });
  rejectProblems(problems);
  const next = roles && changeRoles(user.ownRoles, user.roles, roles);
  if (next && next.join('\n') !== user.ownRoles.join('\n')) change.roles = next;
  return change;
}
