import { randomBytes } from 'node:crypto';
import { hashPassword } from '../auth/passwords.ts';
import { installSite } from '../content/install-site.ts';
import { callerFor } from '../security/caller.ts';
import type { Kernel } from '../site/kernel.ts';
import { readProfile } from '../site/profile.ts';
import { hasSite, insertFirstAccount, insertGroups, lockSetup } from '../storage/statements/accounts.ts';

/** Login name of the first Manager. */
const ADMIN = 'admin';

/**
 * Sets up the site in an empty database, in one transaction; does nothing when there is one. Answers the password
 * of the first Manager when it made one up. Of several processes that start at once one does it.
 */
export async function setUpSite(kernel: Kernel): Promise<{ created: boolean; password?: string }> {
  if (await hasSite(kernel.db)) return { created: false };
  const profile = readProfile(kernel.config.profile);
  const given = kernel.config.adminPassword;
  const password = given ?? randomBytes(12).toString('base64url');
  const hash = await hashPassword(password);
  const created = await kernel.db.transaction(async (tx) => {
    await lockSetup(tx);
    if (await hasSite(tx)) return false;
    await insertFirstAccount(tx, { id: ADMIN, password: hash });
    await insertGroups(tx, profile.groups);
    await installSite(
      kernel,
      tx,
      profile,
      callerFor({ id: ADMIN, login: ADMIN, fullname: 'Administrator', roles: ['Manager'], groups: [] }),
    );
    return true;
  });
  return created && given === undefined ? { created, password } : { created };
}
