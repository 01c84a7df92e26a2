import { randomUUID } from 'node:crypto';
import {
  accountRows,
  type Caller,
  groupRows,
  has,
  type Kernel,
  mailing,
  passwords,
  permissions,
  type Queryable,
  reject,
  type Site,
  type StoredFile,
} from '#core';
import { type FieldProblem, Forbidden, ValidationFailed } from '#lib/errors';
import { ADD_MEMBER, changePeople, type PeopleChange, requireAuthority } from './authority.ts';
import { queuePasswordMail } from './password-mail.ts';
import { newPasswordProblem } from './passwords.ts';
import { emailAsLogin, loginOfEmail, requireFreeName, userNameProblem, uuidAsId } from './person-rules.ts';
import { storePortrait } from './portrait.ts';
import { admitVisitor, mayChoosePassword, mayRegister } from './registration.ts';
import { roleProblems } from './roles.ts';
import { rolesOfGroups } from './statements/groups.ts';
import { knownPrincipals } from './statements/principals.ts';
import { type NewUserInput, wantedState } from './user-body.ts';
import { checkEmail, checkRequired, parseUserTexts, rejectProblems, type UserTexts } from './user-input.ts';

/** The creator of an account: a user with the permission, or a visitor who registers. */
type Registrar = 'manager' | 'visitor';

/** A new user, parsed from a body. Users without a password get a mail with a link to set one. */
export type NewUser = Required<UserTexts> & {
  id: string;
  /** The name to log in with. */
  name: string;
  /** The field of the body that the name comes from. */
  nameField: string;
  password: string | undefined;
  roles: string[] | undefined;
  groups: string[];
  enabled: boolean;
};

/** A new user by the body of POST `@users`. Throws ValidationFailed of type WrongParameterError with all problems. */
export async function parseNewUser(
  kernel: Kernel,
  site: Site,
  { input, registrar }: { input: NewUserInput; registrar: Registrar },
): Promise<NewUser> {
  const problems: FieldProblem[] = [];
  const texts = parseUserTexts(problems, { kernel, site, input });
  checkEmail(problems, texts.email);
  checkRequired(problems, { kernel, site, texts });
  const { email = '', fullname = '', properties } = texts;
  const { name, nameField } = parseName(problems, site, input, email);
  const password = await parseNewPassword(problems, kernel, site, { input, registrar });
  problems.push(...roleProblems(site, input.roles));
  const roles = input.roles?.give;
  const { groups = [] } = input;
  const enabled = wantedState(input) ?? true;
  if (registrar === 'visitor') {
    if (roles?.length) problems.push({ field: 'roles', message: 'You may not give roles.' });
    if (groups.length > 0) problems.push({ field: 'groups', message: 'You may not give groups.' });
    if (!enabled) problems.push({ field: 'enabled', message: 'You may not disable users.' });
  }
  rejectProblems(problems);
  return {
    id: uuidAsId(site) ? randomUUID().replaceAll('-', '') : name,
    name,
    nameField,
    password,
    fullname,
    email,
    properties,
    roles: registrar === 'visitor' ? undefined : roles,
    groups,
    enabled,
  };
}

/** The login name: the e-mail address if users log in with it, else the chosen user name. It is also the id unless ids are UUIDs. */
function parseName(
  problems: FieldProblem[],
  site: Site,
  { username }: NewUserInput,
  email: string,
): Pick<NewUser, 'name' | 'nameField'> {
  const nameField = emailAsLogin(site) ? 'email' : 'username';
  if (nameField === 'email' && username)
    problems.push({ field: 'username', message: 'Is not allowed: the e-mail address is the login name.' });
  const name = nameField === 'email' ? loginOfEmail(email) : (username ?? '');
  const nameProblem = userNameProblem(name);
  if (nameProblem && !problems.some(({ field }) => field === nameField))
    problems.push({ field: nameField, message: nameProblem });
  return { name, nameField };
}

/**
 * The password of a new user; undefined when they get a link to set it. Managers choose one of the two; visitors choose a password if the site allows
 * it, else they get the link (plone.restapi, U05 and U09).
 */
async function parseNewPassword(
  problems: FieldProblem[],
  kernel: Kernel,
  site: Site,
  { input: { password, sendPasswordReset }, registrar }: { input: NewUserInput; registrar: Registrar },
): Promise<string | undefined> {
  const given = Boolean(password);
  const byMail = sendPasswordReset === true;
  const fail = (field: string, message: string): undefined => void problems.push({ field, message });
  if (registrar === 'visitor' && !mayChoosePassword(site))
    return given ? fail('password', 'May not be chosen here: you get a mail with a link to set it.') : undefined;
  if (byMail && given) return fail('sendPasswordReset', 'Is not allowed together with a password.');
  if (byMail) {
    if (registrar === 'manager' && !mailing.hostOf(kernel, site)) fail('sendPasswordReset', mailing.NO_HOST);
    return undefined;
  }
  if (!password) return fail('password', 'Is required.');
  const message = await newPasswordProblem(kernel, site, password);
  return message === undefined ? password : fail('password', message);
}

/** The problems of a ValidationFailed; throws all other errors again. */
export function problemsOf(error: unknown): FieldProblem[] {
  if (error instanceof ValidationFailed) return error.problems;
  throw error;
}

/**
 * Creates a user from the body of POST `@users` and returns the id. Visitors cannot set roles, groups and a picture,
 * and each network has a limit. `address` is the network address of the client.
 * @throws ValidationFailed of type WrongParameterError with a problem for each field (plone.restapi §7 @users),
 *   Unauthorized, Forbidden, TooManyRequests.
 */
export async function createUser(
  kernel: Kernel,
  { caller, input, address }: { caller: Caller; input: NewUserInput; address: string },
): Promise<string> {
  const site = await kernel.sites.current();
  const visitor = caller.id === null;
  const user = await parseNewUser(kernel, site, { input, registrar: visitor ? 'visitor' : 'manager' });
  if (visitor) await admitVisitor(kernel.db, 'register', address);
  const portrait = visitor ? null : await storePortrait(kernel, site, input);
  const hash = user.password === undefined ? null : await passwords.hash(user.password);
  await changePeople(kernel, (change) => insertUser(kernel, change, caller, { user, hash, portrait }));
  return user.id;
}

/** Roles of new users unless others are given. */
const DEFAULT_ROLES = ['Member'];

/**
 * Creates the account of a user parsed by `parseNewUser`, with its memberships, and queues the mail with a link if there is no password. `hash` is
 * the hash of the password. Managers of users can give roles and groups, up to their own rights.
 * @throws Unauthorized or Forbidden, ValidationFailed of type WrongParameterError for a taken name or an unknown group.
 */
export async function insertUser(
  { events }: Pick<Kernel, 'events'>,
  { tx, site, root }: PeopleChange,
  caller: Caller,
  { user, hash, portrait }: { user: NewUser; hash: string | null; portrait?: StoredFile | null | undefined },
): Promise<void> {
  const manages = has(site, caller, root, permissions.MANAGE_USERS);
  if (!manages && !has(site, caller, root, ADD_MEMBER) && !mayRegister(site, caller)) reject(caller);
  if (!manages && (user.roles || user.groups.length > 0)) throw new Forbidden('You may not give roles or groups.');
  if (!manages && !user.enabled) throw new Forbidden('You may not disable users.');
  const { id, name, fullname, email, properties, roles = DEFAULT_ROLES, groups } = user;
  if (user.roles) requireAuthority(site, caller, roles);
  await requireGroups(tx, site, caller, groups);
  await requireFreeName(tx, name, user.nameField);
  await accountRows.insertAccount(tx, {
    id,
    login: name,
    password: hash,
    fullname,
    email,
    roles,
    properties,
    portrait: portrait ?? null,
    created: new Date(),
  });
  if (!user.enabled) await accountRows.updateAccount(tx, id, { disabled: new Date() });
  await groupRows.addMembers(tx, groups, { ids: [id], isGroup: false });
  if (hash === null) await queuePasswordMail(tx, id, 'welcome');
  await events.emit('user.created', { id, site }, { tx, caller });
}

/** Throws unless all groups exist and their roles are not beyond the caller's rights. */
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
