import { randomBytes } from 'node:crypto';
import { hashPassword } from '../auth/passwords.ts';
import { installSite, PROFILE_STATE, VERSION_STATE } from '../content/install-site.ts';
import { installProfiles } from '../features/add-ons/feature-profiles.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { folderPath } from '../lib/process.ts';
import { callerFor } from '../security/caller.ts';
import { KERNEL_FEATURES } from '../services/feature.ts';
import { allProfiles, loadProfile, loadReleased } from '../site/profile.ts';
import type { ProfileRow } from '../site/profile-rows.ts';
import { ProfileBroken } from '../site/profile-schema.ts';
import { migrateFeature } from '../storage/migrate.ts';
import { hasSite, insertFirstAccount, lockSetup } from '../storage/statements/accounts.ts';
import { loadState } from '../storage/statements/configuration.ts';
import { hasInstalledProfile, writeInstalledProfile } from '../storage/statements/installed-profile.ts';

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
  if (!setUp.created) await rememberProfile(kernel);
  await installProfiles(kernel, ADMINISTRATOR);
  return setUp;
}

/**
 * Notes what the profile of a site brought that was made before this was noted. It is known when the profile says what that
 * version brought, or still has it.
 */
async function rememberProfile(kernel: Kernel): Promise<void> {
  if (await hasInstalledProfile(kernel.db)) return;
  const name = (await loadState(kernel.db, PROFILE_STATE)) ?? kernel.config.profile;
  if (!allProfiles(kernel.config).has(name)) return;
  const rows = await installedRows(kernel, name);
  if (!rows) return;
  await kernel.db.transaction(async (tx) => {
    await lockSetup(tx);
    if (!(await hasInstalledProfile(tx))) await writeInstalledProfile(tx, rows);
  });
}

/** What the profile brought with the version of the site; undefined when nobody knows, or the profile is broken. */
async function installedRows({ config, db, log }: Kernel, name: string): Promise<ProfileRow[] | undefined> {
  const site = await loadState(db, VERSION_STATE);
  try {
    const folders = allProfiles(config);
    const released = site === undefined ? undefined : loadReleased(name, site, folders);
    if (released) return released;
    const { version, rows } = loadProfile(name, folders);
    return version === site ? rows : undefined;
  } catch (error) {
    if (!(error instanceof ProfileBroken)) throw error;
    log.warn({ err: error }, 'the profile of the site cannot be used');
    return undefined;
  }
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
    await installSite(kernel, tx, profile, ADMINISTRATOR);
    return true;
  });
  return created && given === undefined ? { created, password } : { created };
}
