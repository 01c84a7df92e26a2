import { Unauthorized } from '../lib/errors.ts';
import type { Account } from './accounts.ts';
import type { AuthContext } from './auth-context.ts';
import { checkPassword, isPlausible } from './password-check.ts';

/**
 * Logs a user in by name and password, for `@login`. `address` is the client's, for the throttle.
 * @throws Unauthorized of type 'Invalid credentials', the same and after the same work for an
 *   unknown login and a wrong password.
 * @throws TooManyRequests after too many failures, see `createLoginThrottle`.
 */
export async function login(
  context: AuthContext,
  attempt: { login: string; password: string; address: string },
): Promise<Account> {
  const account = isPlausible(attempt)
    ? await context.throttle.attempt(attempt.login, attempt.address, () =>
        checkPassword(context, attempt.login, attempt.password),
      )
    : null;
  if (!account) throw new Unauthorized('Wrong login and/or password.', 'Invalid credentials');
  return account;
}
