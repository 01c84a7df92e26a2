import { Unauthorized } from '../../lib/errors.ts';
import type { Account } from './accounts.ts';
import type { TokenOptions } from './tokens.ts';

/** A proof after the password, implemented by a feature. An account stores the name of the factor that its user has set up. */
export type SecondFactor = {
  name: string;
  /**
   * Checks the code that came with a right password.
   * @throws Unauthorized when the code is missing or wrong, TooManyRequests when it is being guessed.
   */
  check(account: Account, given: { otp: string | undefined; address: string }): Promise<void>;
};

/** Says if the site requires a second factor that the account does not have. */
export const lacksSecondFactor = (options: TokenOptions, { secondFactor, caller }: Account): boolean =>
  secondFactor === null && caller.roles.some((role) => options.second_factor_roles?.includes(role));

/** Says if a password is enough for an account to log in. */
export const needsPasswordOnly = (options: TokenOptions, account: Account): boolean =>
  account.secondFactor === null && !lacksSecondFactor(options, account);

/** Rejects a user without the second factor that the site requires, with instructions. */
export function rejectWithoutFactor(): never {
  throw new Unauthorized(
    'Your account needs a second factor, which you have not set up. Set it up with POST to @totp, then log in.',
    'Second factor not set up',
  );
}

/**
 * Checks the second factor of an account whose password was right. Throws as `SecondFactor.check`, and Unauthorized when the site requires a factor
 * that the account lacks.
 */
export async function checkSecondFactor(
  { factors, options }: { factors: readonly SecondFactor[]; options: TokenOptions },
  account: Account,
  given: { otp: string | undefined; address: string },
): Promise<void> {
  if (lacksSecondFactor(options, account)) rejectWithoutFactor();
  if (account.secondFactor === null) return;
  const factor = factors.find(({ name }) => name === account.secondFactor);
  if (!factor) throw new Error(`No feature checks the second factor "${account.secondFactor}"`);
  await factor.check(account, given);
}
