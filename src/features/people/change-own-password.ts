import { setPassword } from '../../auth/accounts.ts';
import type { AuthContext } from '../../auth/auth-context.ts';
import { checkPassword } from '../../auth/password-check.ts';
import { hashPassword } from '../../auth/passwords.ts';
import { Forbidden, ValidationFailed } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import type { Kernel } from '../../site/kernel.ts';
import { newPasswordProblem } from './password-policy.ts';

export type PasswordChange = {
  caller: Caller;
  /** Whose password it is: the caller's own. */
  id: string;
  oldPassword: string;
  newPassword: string;
  /** Network address of the client, for the throttle. */
  address: string;
};

/**
 * Gives the caller a new password for the old one; all tokens from before are worth nothing then. Guessing of the old
 * one is throttled as a login is: a stolen session must not become a password.
 * @throws Forbidden for another user and for a wrong old password, ValidationFailed for a weak new one,
 *   TooManyRequests after too many failures.
 */
export async function changeOwnPassword(
  { kernel, auth }: { kernel: Kernel; auth: AuthContext },
  { caller, id, oldPassword, newPassword, address }: PasswordChange,
): Promise<void> {
  if (caller.id === null || caller.id !== id) throw new Forbidden('You may change your own password only.');
  const message = await newPasswordProblem(kernel, await kernel.sites.current(), newPassword);
  if (message) throw new ValidationFailed([{ field: 'new_password', message }], 'Invalid password');
  const known = await auth.throttle.attempt(caller.login, address, () =>
    checkPassword(auth, caller.login, oldPassword),
  );
  if (!known || known.caller.id !== id) throw new Forbidden('The old password is wrong.');
  const hash = await hashPassword(newPassword);
  await setPassword(auth.db, id, hash, auth.now());
}
