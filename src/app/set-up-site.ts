import { randomBytes } from 'node:crypto';
import { hashPassword } from '../auth/passwords.ts';
import { installSite } from '../content/install-site.ts';
import { installProfiles } from '../features/add-ons/feature-profiles.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { folderPath } from '../lib/folder-path.ts';
import { callerFor } from '../security/caller.ts';
import { KERNEL_FEATURES } from '../services/feature.ts';
import { allProfiles, loadProfile } from '../site/profile.ts';
import { migrateFeature } from '../storage/migrate.ts';
import { hasSite, insertFirstAccount, insertGroups, lockSetup } from '../storage/statements/accounts.ts';

/** Login name of the first Manager. */
const ADMIN = 'admin';

const ADMINISTRATOR = callerFor({
  id: ADMIN,
  login: ADMIN,
  fullname: 'Administrator',
  roles: ['Manager'],
  groups: [],
});

/** Whether the start made the site, and the password of the first Manager when it made one up. */
export type SetUp = { created: boolean; password?: string };

/**
 * Brings the tables of features up to date, sets up the site when there is none, and installs what features bring to
 * each site. Of several processes that start at once each step is done by one. Throws DatabaseUnavailable, ConfigError.
 */
export async function setUpSite(kernel: Kernel): Promise<SetUp> {
  const features = kernel.slots.get(KERNEL_FEATURES);
  for (const { name, migrations } of features)
    if (migrations !== undefined) await migrateFeature(kernel.db, name, folderPath(migrations));
  const setUp = await createSite(kernel);
  await installProfiles(kernel, ADMINISTRATOR);
  return setUp;
}

/** Makes the site in an empty database, in one transaction; does nothing when there is one. */
async function createSite(kernel: Kernel): Promise<SetUp> {
  if (await hasSite(kernel.db)) return { created: false };
  const profile = loadProfile(kernel.config.profile, allProfiles(kernel.config));
  const given = kernel.config.adminPassword;
  const password = given ?? randomBytes(12).toString('base64url');
  const hash = await hashPassword(password);
  const created = await kernel.db.transaction(async (tx) => {
    await lockSetup(tx);
    if (await hasSite(tx)) return false;
    await insertFirstAccount(tx, { id: ADMIN, password: hash });
    await insertGroups(tx, profile.groups);
    await installSite(kernel, tx, profile, ADMINISTRATOR);
    return true;
  });
  return created && given === undefined ? { created, password } : { created };
}
