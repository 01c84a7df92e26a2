import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import {
  accounts,
  type Caller,
  callers,
  type Kernel,
  logins,
  mailing,
  panelSettings,
  panels,
  passwords,
  type Site,
} from '#core';
import { ClientError, Forbidden, ValidationFailed } from '#lib/errors';
import { isInHashList } from './hash-list.ts';
import { hashResetToken, queueResetRequest } from './password-mail.ts';
import { MAX_NAME } from './person-rules.ts';
import { admitVisitor } from './registration.ts';
import { findReset, type PasswordReset, useReset } from './statements/password-resets.ts';

/**
 * Says if a password is in the list that `breached_passwords_file` of the security settings names: a file in `DATA_DIR`. If the list cannot be read,
 * this fault of the site is logged, and passwords are accepted without the check.
 */
async function isBreached(kernel: Kernel, site: Site, password: string): Promise<boolean> {
  const name = basename(panelSettings(site, panels.security).breached_passwords_file.trim());
  if (name === '' || name.startsWith('.') || name.includes('\0')) return false;
  try {
    const sha1 = createHash('sha1').update(password).digest('hex');
    return await isInHashList(join(kernel.config.dataDir, name), sha1);
  } catch (error) {
    kernel.log.error({ err: error, file: name }, 'the list of breached passwords cannot be read');
    return false;
  }
}

/** The problem with a new password under the rules of the site; undefined for a valid password. */
export async function newPasswordProblem(kernel: Kernel, site: Site, password: string): Promise<string | undefined> {
  const problem = passwords.problemOf(password, panelSettings(site, panels.security).password_min_length);
  if (problem !== undefined) return problem;
  return (await isBreached(kernel, site, password))
    ? 'Is known to attackers from elsewhere: choose another one.'
    : undefined;
}

type PasswordChange = {
  caller: Caller;
  /** The user whose password changes; only the caller's own id is accepted. */
  id: string;
  oldPassword: string;
  newPassword: string;
  /** Network address of the client, for the throttle. */
  address: string;
};

/**
 * Changes the password of the caller, who must know the old one. All earlier tokens become invalid. Wrong old passwords
 * are throttled like logins, so that a stolen session cannot be used to guess the password.
 * @throws Forbidden for another user and for a wrong old password, ValidationFailed for a weak new one,
 *   TooManyRequests after too many failures.
 */
export async function changeOwnPassword(
  { kernel, auth }: { kernel: Kernel; auth: logins.AuthContext },
  { caller, id, oldPassword, newPassword, address }: PasswordChange,
): Promise<void> {
  if (caller.id === null || caller.id !== id) throw new Forbidden('You may change your own password only.');
  const message = await newPasswordProblem(kernel, await kernel.sites.current(), newPassword);
  if (message) throw new ValidationFailed([{ field: 'new_password', message }], 'Invalid password');
  const known = await auth.throttle.attempt(caller.login, address, () =>
    logins.checkPassword(auth, caller.login, oldPassword),
  );
  if (!known || known.caller.id !== id) throw new Forbidden('The old password is wrong.');
  const hash = await passwords.hash(newPassword);
  await kernel.db.transaction(async (tx) => {
    await accounts.setPassword(tx, id, hash, auth.now());
    await kernel.events.emit('site.changed', { part: 'password', id, change: 'changed' }, { tx, caller });
  });
}

/**
 * Accepts a request for a new password by id, login name or e-mail address. Matching accounts are looked up later, when
 * the mail is sent, so that neither the response nor its duration shows whether an account exists.
 * @throws TooManyRequests when the client's network has used up its limit.
 */
export async function requestPasswordReset(
  kernel: Kernel,
  { name, address }: { name: string; address: string },
): Promise<void> {
  await admitVisitor(kernel.db, 'reset-password', address);
  if (name.length > MAX_NAME || !mailing.hostOf(kernel, await kernel.sites.current())) return;
  await queueResetRequest(kernel.db, name);
}

/** True if a name is the id, the login name or the e-mail address of the account: users may type any of them. */
const isNameOf = (name: string, { id, login, email }: PasswordReset): boolean =>
  name === id || name === login || name.toLowerCase() === email.toLowerCase();

const unknownToken = () => new ClientError(403, 'Unknown Token', 'The token is unknown, or has been used already.');

/**
 * Sets the password of the account that a token was mailed to. The token works once. All tokens of the account,
 * including those of its sessions, become invalid. When the new password is rejected, the token stays valid.
 * @throws ClientError 403 of type `Unknown Token` or `Expired Token`, ValidationFailed of type `Invalid password`.
 */
export async function resetPassword(
  kernel: Kernel,
  { name, token, newPassword }: { name: string; token: string; newPassword: string },
): Promise<void> {
  const tokenHash = hashResetToken(token);
  const reset = await findReset(kernel.db, tokenHash, new Date());
  if (!reset || !isNameOf(name, reset)) throw unknownToken();
  if (!reset.valid) throw new ClientError(403, 'Expired Token', 'The token has expired: ask for a new one.');
  const message = await newPasswordProblem(kernel, await kernel.sites.current(), newPassword);
  if (message) throw new ValidationFailed([{ field: 'new_password', message }], 'Invalid password');
  const hash = await passwords.hash(newPassword);
  const used = await kernel.db.transaction(async (tx) => {
    const now = new Date();
    const id = await useReset(tx, tokenHash, now);
    if (id === undefined || !(await accounts.setPassword(tx, id, hash, now))) return false;
    const change = { part: 'password', id, change: 'reset' };
    await kernel.events.emit('site.changed', change, { tx, caller: callers.ANONYMOUS });
    return true;
  });
  if (!used) throw unknownToken();
}
