import { type Account, findByLogin, replaceHash } from './accounts.ts';
import type { AuthContext } from './auth-context.ts';
import { hashPassword, isPasswordTooLong, needsRehash, verifyDummy, verifyPassword } from './passwords.ts';

const MAX_LOGIN_LENGTH = 1024;

/** Whether a login and password can be anybody's; refusing others early tells nothing of who exists. */
export function isPlausible({ login, password }: { login: string; password: string }): boolean {
  return login.length <= MAX_LOGIN_LENGTH && !login.includes('\0') && !isPasswordTooLong(password);
}

/**
 * The account of this login if the password is right, else null. An unknown login, a user without
 * a password and a wrong password take the same work. A hash of an older kind is replaced.
 * Does not throttle: call it inside an attempt of the throttle.
 */
export async function checkPassword(context: AuthContext, login: string, password: string): Promise<Account | null> {
  const account = await findByLogin(context.db, login, context.now());
  if (!account || account.password === null) {
    await verifyDummy(password);
    return null;
  }
  if (!(await verifyPassword(account.password, password))) return null;
  if (!needsRehash(account.password)) return account;
  const hash = await hashPassword(password);
  await replaceHash(context.db, account.caller.id, account.password, hash);
  return { ...account, password: hash };
}
