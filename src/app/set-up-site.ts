import { randomBytes } from 'node:crypto';
import { makeChangeTriggers, WrongTable } from '../core/cache/change-triggers.ts';
import { UNWATCHED_TABLES } from '../core/cache/unwatched-tables.ts';
import { ConfigError } from '../core/configuration/environment/setting-names.ts';
import { allProfiles, loadProfile } from '../core/configuration/profiles/profile.ts';
import type { Kernel } from '../core/kernel/kernel.ts';
import { hashPassword } from '../core/people/passwords.ts';
import { hasSite, insertFirstAccount, lockSetup } from '../core/people/statements/accounts.ts';
import { installSite } from '../core/profiles/install-site.ts';
import { ADMIN, ADMINISTRATOR } from '../core/security/caller.ts';
import { KERNEL_FEATURES } from '../core/services/feature.ts';
import { migrateFeature } from '../database/migrate.ts';
import { installProfiles } from '../features/add-ons/feature-profiles.ts';
import { requireAddonParts } from '../features/add-ons/missing-parts.ts';
import { makeSchedules } from '../features/jobs/feature-schedules.ts';
import { makeFirstLinkSecret } from '../features/people/first-link.ts';
import { folderPath } from '../lib/process/process.ts';

/**
 * The result of a start: `created` if it made the site; a generated password of the first Manager, and the secret of a link to choose another
 * password in a browser.
 */
type Created = { created: boolean; password?: string; linkSecret?: string };

/** The result of a start with the tables of the database that no feature declares. */
export type SetUp = Created & { unknownTables: readonly string[] };

/**
 * Brings the tables of features up to date, creates the site when it does not exist, and installs the profiles and schedules of features; with
 * `repair` nothing is installed, and the site may be broken. When several processes start at once, only one of them does each step. Throws
 * DatabaseUnavailable, ConfigError.
 */
export async function setUpSite(kernel: Kernel, { repair = false }: { repair?: boolean } = {}): Promise<SetUp> {
  const features = kernel.slots.get(KERNEL_FEATURES);
  for (const { name, migrations } of features)
    if (migrations !== undefined) await migrateFeature(kernel.db, name, folderPath(migrations));
  const unknownTables = await watchTables(kernel);
  const setUp = await createSite(kernel);
  if (!repair) {
    await requireAddonParts(kernel);
    await installProfiles(kernel, ADMINISTRATOR);
    await makeSchedules(kernel, ADMINISTRATOR);
  }
  return { ...setUp, unknownTables };
}

/**
 * Makes the triggers that note changes of tables for cached responses. Returns the tables that no feature declares; responses from these tables are
 * not cached. Throws ConfigError for a wrongly declared table.
 */
async function watchTables({ db, log, slots }: Kernel): Promise<string[]> {
  const features = slots.get(KERNEL_FEATURES);
  try {
    const tables = features.flatMap((feature) => feature.tables ?? []);
    const unknown = await makeChangeTriggers(db, tables);
    slots.get(UNWATCHED_TABLES).add(unknown);
    if (unknown.length > 0)
      log.warn(
        { tables: unknown },
        'no feature says anything of these tables: no response that is made of them is kept',
      );
    return unknown;
  } catch (error) {
    if (!(error instanceof WrongTable)) throw error;
    const feature = features.find(({ tables = [] }) => tables.some(({ name }) => name === error.table));
    throw new ConfigError(`The feature "${feature?.name}" cannot be used: ${error.message}.`, { cause: error });
  }
}

/** Makes the site in an empty database, in one transaction; does nothing if there is a site. */
async function createSite(kernel: Kernel): Promise<Created> {
  if (await hasSite(kernel.db)) return { created: false };
  const profile = loadProfile(kernel.config.profile, allProfiles(kernel.config));
  const given = kernel.config.adminPassword;
  const password = given ?? randomBytes(12).toString('base64url');
  const hash = await hashPassword(password);
  return kernel.db.transaction(async (tx): Promise<Created> => {
    await lockSetup(tx);
    if (await hasSite(tx)) return { created: false };
    await insertFirstAccount(tx, { id: ADMIN, password: hash });
    await installSite(kernel, tx, profile, ADMINISTRATOR);
    if (given !== undefined) return { created: true };
    if (!kernel.config.managePage) return { created: true, password };
    return { created: true, password, linkSecret: await makeFirstLinkSecret(tx, ADMIN) };
  });
}
