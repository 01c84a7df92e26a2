import { setPassword } from '../../auth/accounts.ts';
import { hashPassword } from '../../auth/passwords.ts';
import { ClientError, ValidationFailed } from '../../lib/errors.ts';
import type { Kernel } from '../../site/kernel.ts';
import { hashResetToken } from './password-mail.ts';
import { newPasswordProblem } from './password-policy.ts';
import { findReset, type PasswordReset, useReset } from './statements/people-resets.ts';

/** Whether a name is one of those of the account: people type what they remember. */
const isNameOf = (name: string, { id, login, email }: PasswordReset): boolean =>
  name === id || name === login || name.toLowerCase() === email.toLowerCase();

const unknownToken = () => new ClientError(403, 'Unknown Token', 'The token is unknown, or has been used already.');

/**
 * Sets the password of the account that a token was mailed to. The token works once; all tokens of the account, those
 * of its sessions included, are worth nothing then. A password that is refused leaves the token as it is.
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
  const hash = await hashPassword(newPassword);
  const used = await kernel.db.transaction(async (tx) => {
    const now = new Date();
    const id = await useReset(tx, tokenHash, now);
    return id !== undefined && (await setPassword(tx, id, hash, now));
  });
  if (!used) throw unknownToken();
}
