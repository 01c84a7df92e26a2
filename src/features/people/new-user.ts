import { type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';
import { emailAsLogin, loginOfEmail } from './email-as-login.ts';
import { newPasswordProblem } from './password-policy.ts';
import { MAX_NAME, userNameProblem } from './person-rules.ts';
import { readGroups } from './read-groups.ts';
import { readRoles } from './read-roles.ts';
import { readText, rejectProblems } from './read-text.ts';
import { checkEmail, checkRequired, readUserTexts, type UserTexts } from './read-user.ts';
import { mayChoosePassword } from './self-registration.ts';
import { NO_MAIL_HOST, siteMailHost } from './site-mail-host.ts';

/** Who makes an account: one who may, or a visitor who registers. */
export type Registrar = 'manager' | 'visitor';

/** What a body says of a new user. Without a password a link to set one is mailed. */
export type NewUser = Required<UserTexts> & {
  name: string;
  /** The field of the body that the name comes from. */
  nameField: string;
  password: string | undefined;
  roles: string[] | undefined;
  groups: string[];
};

/** Reads the body of POST `@users`. Throws ValidationFailed of type WrongParameterError with every problem there is. */
export async function readNewUser(
  kernel: Kernel,
  site: Site,
  { input, registrar }: { input: JsonObject; registrar: Registrar },
): Promise<NewUser> {
  const problems: FieldProblem[] = [];
  const texts = readUserTexts(problems, { site, fieldKinds: kernel.fieldKinds, input });
  checkEmail(problems, texts.email);
  checkRequired(problems, site, texts);
  const { email = '', fullname = '', properties } = texts;
  const { name, nameField } = readName(problems, site, input, email);
  const password = await readNewPassword(problems, kernel, site, { input, registrar });
  const roles = readRoles(problems, site, input.roles)?.give;
  const groups = readGroups(problems, input.groups) ?? [];
  if (registrar === 'visitor') {
    if (roles?.length) problems.push({ field: 'roles', message: 'You may not give roles.' });
    if (groups.length > 0) problems.push({ field: 'groups', message: 'You may not give groups.' });
  }
  rejectProblems(problems);
  return {
    name,
    nameField,
    password,
    fullname,
    email,
    properties,
    roles: registrar === 'visitor' ? undefined : roles,
    groups,
  };
}

/** The id and login name: the e-mail address where users log in with it, else what was chosen. */
function readName(
  problems: FieldProblem[],
  site: Site,
  input: JsonObject,
  email: string,
): Pick<NewUser, 'name' | 'nameField'> {
  const username = readText(problems, input, 'username', { max: MAX_NAME });
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
 * The password of a new user; undefined for one who gets a link to set it. A manager says which of the two; a visitor
 * gives a password where the site lets users choose it, else the link is all there is (plone.restapi, U05 and U09).
 */
async function readNewPassword(
  problems: FieldProblem[],
  kernel: Kernel,
  site: Site,
  { input: { password, sendPasswordReset }, registrar }: { input: JsonObject; registrar: Registrar },
): Promise<string | undefined> {
  const given = password !== undefined && password !== null && password !== '';
  const byMail = sendPasswordReset === true;
  const reject = (field: string, message: string): undefined => void problems.push({ field, message });
  if (registrar === 'visitor' && !mayChoosePassword(site))
    return given ? reject('password', 'May not be chosen here: you get a mail with a link to set it.') : undefined;
  if (byMail && given) return reject('sendPasswordReset', 'Is not allowed together with a password.');
  if (byMail) {
    if (registrar === 'manager' && !siteMailHost(kernel, site)) reject('sendPasswordReset', NO_MAIL_HOST);
    return undefined;
  }
  if (!given) return reject('password', 'Is required.');
  if (typeof password !== 'string') return reject('password', 'Must be a text.');
  const message = await newPasswordProblem(kernel, site, password);
  return message === undefined ? password : reject('password', message);
}

/** The problems that a reading of a new user threw; other errors are thrown on. */
export function problemsOf(error: unknown): FieldProblem[] {
  if (error instanceof ValidationFailed) return error.problems;
  throw error;
}
