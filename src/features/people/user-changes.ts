import { isDeepStrictEqual } from 'node:util';
import {
  access,
  accountRows,
  accounts,
  type Caller,
  has,
  type Kernel,
  passwords,
  permissions,
  reject,
  requirePermission,
  type Site,
  type SiteChange,
} from '#core';
import { type FieldProblem, Forbidden, NotFound } from '#lib/errors';
import { changePeople, requireAuthority, SET_OWN_PROPERTIES } from './authority.ts';
import { newPasswordProblem } from './passwords.ts';
import { emailAsLogin, loginOfEmail, requireFreeName, userNameProblem } from './person-rules.ts';
import { storePortrait } from './portrait.ts';
import { changeRoles, type RoleChange, roleProblems } from './roles.ts';
import { type Profile, profilesById } from './statements/accounts.ts';
import { type UserInput, wantedState } from './user-body.ts';
import { checkEmail, parseUserTexts, rejectProblems, type UserTexts } from './user-input.ts';

/** The path of a user in error messages. */
export const userPath = (id: string): string => `/@users/${id}`;

/**
 * Changes a user by the body of PATCH `@users/<id>`. Users may change their own properties; managers of users may change all users whose roles are
 * not beyond their own rights. An unchanged value needs no permission, so that clients can send back a whole user. Callers change their own password
 * with `changeOwnPassword` only.
 * @throws Forbidden, NotFound, ValidationFailed of type WrongParameterError.
 */
export async function updateUser(
  kernel: Kernel,
  { caller, id, input }: { caller: Caller; id: string; input: UserInput },
): Promise<void> {
  const self = caller.id === id;
  if (self && input.password)
    throw new Forbidden('Change your own password with POST to reset-password, by the old one.');
  const now = await kernel.sites.current();
  const wanted = await parseUserChange(kernel, now, input);
  const portrait = await storePortrait(kernel, now, input);
  const hash = wanted.password === undefined ? undefined : await passwords.hash(wanted.password);
  await changePeople(kernel, async ({ tx, site, root }) => {
    const manages = has(site, caller, root, permissions.MANAGE_USERS);
    if (!manages && !(self && has(site, caller, root, SET_OWN_PROPERTIES))) reject(caller);
    const [user] = await profilesById(tx, [id]);
    if (!user) throw new NotFound(userPath(id));
    if (!self) requireAuthority(site, caller, user.roles);
    const change = accountChange(site, user, wanted);
    if (
      !manages &&
      (change.roles || change.disabled !== undefined || (change.login !== undefined && !emailAsLogin(site)))
    )
      reject(caller);
    requireAuthority(
      site,
      caller,
      (change.roles ?? []).filter((role) => !user.ownRoles.includes(role)),
    );
    if (change.login !== undefined)
      await requireFreeName(tx, change.login, emailAsLogin(site) ? 'email' : 'username', id);
    if (change.disabled && self) throw new Forbidden('You cannot disable yourself.');
    await accountRows.updateAccount(tx, id, portrait === undefined ? change : { ...change, portrait });
    // Earlier tokens stay invalid when the user is enabled again.
    if (change.disabled) await accounts.endTokens(tx, id, change.disabled);
    if (hash !== undefined) await accounts.setPassword(tx, id, hash, new Date());
    for (const done of userChanges(user, { change, portrait, isPassword: hash !== undefined }))
      await kernel.events.emit('site.changed', done, { tx, caller });
  });
}

/** Lists the changes of a user without values: the edited names, whether the user may log in, and a new password. */
function userChanges(
  { id, ownRoles, properties }: Profile,
  { change, portrait, isPassword }: { change: accountRows.AccountChange; portrait: unknown; isPassword: boolean },
): SiteChange[] {
  const { disabled, properties: sent = {}, roles, ...texts } = change;
  const names = [
    ...Object.entries(texts).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    ...Object.keys(sent).filter((name) => !isDeepStrictEqual(sent[name], properties[name])),
    ...(roles ? ['roles'] : []),
    ...(portrait === undefined ? [] : ['portrait']),
  ];
  const added = roles?.filter((role) => !ownRoles.includes(role)) ?? [];
  const removed = roles ? ownRoles.filter((role) => !roles.includes(role)) : [];
  return [
    ...(names.length > 0 ? [{ part: 'user', id, change: 'edited', names, added, removed }] : []),
    ...(disabled === undefined ? [] : [{ part: 'user', id, change: disabled ? 'disabled' : 'enabled' }]),
    ...(isPassword ? [{ part: 'password', id, change: 'changed' }] : []),
  ];
}

type UserChange = UserTexts & {
  username: string | undefined;
  password: string | undefined;
  roles: RoleChange | undefined;
  enabled: boolean | undefined;
};

async function parseUserChange(kernel: Kernel, site: Site, input: UserInput): Promise<UserChange> {
  const problems: FieldProblem[] = [];
  const texts = parseUserTexts(problems, { kernel, site, input });
  const { username, roles } = input;
  const enabled = wantedState(input);
  const password = input.password || undefined;
  const message = password === undefined ? undefined : await newPasswordProblem(kernel, site, password);
  problems.push(...roleProblems(site, roles));
  if (message) problems.push({ field: 'password', message });
  rejectProblems(problems);
  return { ...texts, username, roles, password, enabled };
}

/** The columns that differ from the stored ones. An unchanged address or login name need not follow the rules for new addresses and names. */
function accountChange(
  site: Site,
  user: Profile,
  { fullname, email, properties, username, roles, enabled }: UserChange,
): accountRows.AccountChange {
  const problems: FieldProblem[] = [];
  const change: accountRows.AccountChange = { properties };
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
  if (enabled !== undefined && enabled !== (user.disabled === null)) change.disabled = enabled ? null : new Date();
  const next = roles && changeRoles(user.ownRoles, user.roles, roles);
  if (next && next.join('\n') !== user.ownRoles.join('\n')) change.roles = next;
  return change;
}

/**
 * Removes a user with its memberships, tokens and, unless `localRoles` is false, all local roles on content. Content that the user created stays
 * under their name. The account is deleted first, so that concurrent sharing with the user waits for the commit and is then rejected.
 * @throws Forbidden for a user with roles beyond the caller's rights, BadRequest for the last Manager, NotFound.
 */
export async function removeUser(
  kernel: Kernel,
  { caller, id, localRoles }: { caller: Caller; id: string; localRoles: boolean },
): Promise<void> {
  await changePeople(kernel, async ({ tx, site, root }) => {
    requirePermission(site, caller, root, permissions.MANAGE_USERS);
    const [user] = await profilesById(tx, [id]);
    if (!user) throw new NotFound(userPath(id));
    requireAuthority(site, caller, user.roles);
    await kernel.events.emit('user.removing', { id, site }, { tx, caller });
    await accountRows.deleteAccount(tx, id);
    if (localRoles) await access.dropLocalRoles(tx, `user:${id}`);
  });
}
