import { callers, mailing, panelSettings, panels, type Queryable, type Site } from '#core';
import { ValidationFailed } from '#lib/errors';
import { isNameTaken } from './statements/principals.ts';

/** Maximum length of ids, login names and e-mail addresses in characters (RFC 5321 for the latter). */
export const MAX_NAME = 254;
// ASCII only: names that differ in case alone must compare as equal whatever the database's locale.
const USER_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.@+-]*$/;
const GROUP_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.@+ -]*$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** The problem with the id or login name of a user; undefined for a valid name. */
export function userNameProblem(name: string): string | undefined {
  if (name === '') return 'Is required.';
  return USER_NAME.test(name)
    ? undefined
    : 'May have letters, digits and _ . - + @ only, and begins with one of the first three.';
}

/** The problem with the id of a group; undefined for a valid id. */
export function groupNameProblem(name: string): string | undefined {
  if (name === '') return 'Is required.';
  return GROUP_NAME.test(name)
    ? undefined
    : 'May have letters, digits, spaces and _ . - + @ only, and begins with one of the first.';
}

/** True if a name is reserved for the virtual group of all users, in upper or lower case. */
const isReservedName = (name: string): boolean => name.toLowerCase() === callers.AUTHENTICATED_USERS.toLowerCase();

/** The problem with an e-mail address; undefined for a valid address. */
export function emailProblem(email: string): string | undefined {
  if (email === '') return 'Is required.';
  return mailing.isAddress(email) ? undefined : 'Is not an e-mail address.';
}

/** The problem with the address of a home page, which other users will visit; undefined for a valid address. */
export function homePageProblem(address: string): string | undefined {
  if (!SCHEME.test(address) || /^https?:/i.test(address)) return undefined;
  return 'Must be an address of the web, beginning with https:// or http://.';
}

/** Says if users log in with their e-mail address (`use_email_as_login` of the security settings). */
export const emailAsLogin = (site: Site): boolean => panelSettings(site, panels.security).use_email_as_login;

/** Says if new users get an id without any personal data (`use_uuid_as_userid` of the security settings). */
export const uuidAsId = (site: Site): boolean => panelSettings(site, panels.security).use_uuid_as_userid;

/** The login name for an e-mail address: in lower case, because users ignore its case. */
export const loginOfEmail = (email: string): string => email.toLowerCase();

/**
 * Throws ValidationFailed for `field` when a user or a group has this name as its id or login name, in upper or lower case: local roles, members and
 * logins would be confused. The account with the id `except` may have the name.
 */
export async function requireFreeName(
  tx: Queryable,
  name: string,
  field: string,
  except: string | null = null,
): Promise<void> {
  if (!isReservedName(name) && !(await isNameTaken(tx, name, except))) return;
  throw new ValidationFailed([{ field, message: `The name "${name}" is taken.` }], 'WrongParameterError');
}
