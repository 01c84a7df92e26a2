import { randomBytes } from 'node:crypto';
import { setPassword } from '../auth/accounts.ts';
import { hashPassword } from '../auth/passwords.ts';
import { NotFound } from '../lib/errors.ts';
import type { Log } from '../lib/process.ts';
import type { Config } from '../site/config.ts';
import { openSite } from './open-site.ts';

/**
 * Gives an account a new password and prints it: for the Manager who has lost the only one. Tokens of the account are
 * worth nothing from then on. Answers the exit code; throws NotFound when there is no such account.
 */
export async function resetPasswordCommand(
  settings: Config,
  log: Log,
  { account }: { account: string },
): Promise<number> {
  const { kernel, close } = await openSite(settings, log);
  try {
    const password = randomBytes(12).toString('base64url');
    const hash = await hashPassword(password);
    const found = await kernel.db.transaction((tx) => setPassword(tx, account, hash, new Date()));
    if (!found) throw new NotFound(account, `There is no account "${account}".`);
    process.stdout.write(`The password of ${account} is ${password}\n`);
    return 0;
  } finally {
    await close();
  }
}
