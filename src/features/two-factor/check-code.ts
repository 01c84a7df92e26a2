import { type Kernel, type logins, requestLimits, secretBox } from '#core';
import { TooManyRequests, Unauthorized } from '#lib/errors';
import { HOUR_MS } from '#lib/time/milliseconds';
import { hashRecoveryCode, stepOf, typedCode } from './codes.ts';
import { findTotp, TOTP, useRecoveryCode, useStep } from './statements.ts';

/**
 * Maximum number of wrong codes of one account in an hour, from all networks: their sender knows the password, so the account is under attack. Of a
 * million codes three are right at a time.
 */
const MAX_WRONG_PER_HOUR = 30;

/** The place of an account's secret, which its encryption is bound to. */
export const placeOf = (account: string): string => `totp:${account}`;

/** Uses up a code of the app, or a recovery code. Returns true if the code was valid. */
async function useCode(kernel: Kernel, account: string, typed: string, now: Date): Promise<boolean> {
  const code = typedCode(typed);
  const stored = await findTotp(kernel.db, account);
  if (!stored?.confirmed) return false;
  if (code.length > 6) return useRecoveryCode(kernel.db, account, hashRecoveryCode(code));
  const box = await secretBox.open(kernel.db, kernel.config.secretsKeys);
  const step = stepOf(box.open(stored.secret, placeOf(account)), code, now);
  return step !== undefined && useStep(kernel.db, account, step);
}

/**
 * Checks a code of an account and uses it up. Wrong codes are counted for the account, and like wrong passwords for the account and the network
 * together, on all processes.
 * @throws Unauthorized for a wrong code, TooManyRequests.
 */
export async function checkCode(
  { kernel, auth }: { kernel: Kernel; auth: logins.AuthContext },
  { caller: { id, login } }: { caller: { id: string; login: string } },
  { otp, address }: { otp: string; address: string },
): Promise<void> {
  const now = auth.now();
  const limited = { kind: 'second-factor', sender: id, since: new Date(now.getTime() - HOUR_MS) };
  if (await requestLimits.hasReached(kernel.db, limited, MAX_WRONG_PER_HOUR))
    throw new TooManyRequests('Too many wrong codes for this account. Try again in an hour.', HOUR_MS / 1000);
  // Attempts of one user from one network run one after the other.
  const right = await auth.throttle.attempt(
    `second-factor ${id}`,
    address,
    async () => ((await useCode(kernel, id, otp, now)) ? true : null),
    { login, factor: 'code' },
  );
  if (right) return;
  await kernel.db.transaction((tx) => requestLimits.record(tx, { ...limited, at: now }, MAX_WRONG_PER_HOUR));
  throw new Unauthorized('The code is wrong, or has been used already.', 'Invalid second factor');
}

/** The codes as a second factor of logins. */
export const totpFactor = (server: { kernel: Kernel; auth: () => logins.AuthContext }): logins.SecondFactor => ({
  name: TOTP,
  async check(account, { otp, address }) {
    if (!otp)
      throw new Unauthorized(
        'Enter the code of your authenticator app, too, or a recovery code ("otp").',
        'Second factor required',
      );
    await checkCode({ kernel: server.kernel, auth: server.auth() }, account, { otp, address });
  },
});
