import { resolve } from 'node:path';
import type { Kernel } from '../kernel/kernel.ts';
import { type Log, packageFolder } from '../lib/process.ts';
import type { Feature } from '../services/feature.ts';
import type { Config } from '../site/config.ts';
import { allProfiles, requireProfile } from '../site/profile.ts';
import type { ProblemLog } from '../storage/database.ts';
import { migrate } from '../storage/migrate.ts';
import { openBlobStore, openDatabase } from '../storage/open.ts';
import { assembleWith, createKernel } from './create-kernel.ts';
import { setUpSite } from './set-up-site.ts';

/** A site that is open in this process. */
export type OpenSite = {
  kernel: Kernel;
  /** Whether this start made the site, and the password it made up for the first Manager. */
  created: boolean;
  password?: string;
  close(): Promise<void>;
};

/**
 * Opens the database and the blob store of the settings, brings the schema up to date and sets up the site when there
 * is none. `features` are those of packages from outside. Throws DatabaseUnavailable or ConfigError, whose messages are one line
 * for people.
 */
export async function openSite(settings: Config, log: Log, features: readonly Feature[] = []): Promise<OpenSite> {
  requireProfile(settings.profile, allProfiles(settings));
  // Before the database is touched: it is made anew for a site that cannot start.
  assembleWith(features);
  const report: ProblemLog = (message, error) =>
    error === undefined ? log.warn(message) : log.error({ err: error }, message);
  const dataDir = resolve(settings.dataDir);
  const db = await openDatabase({
    databaseUrl: settings.databaseUrl,
    directUrl: settings.databaseDirectUrl,
    dataDir,
    log: report,
  });
  try {
    await migrate(db, packageFolder('migrations'));
    const blobs = await openBlobStore({ dataDir, ...(settings.s3 ? { s3: settings.s3 } : {}) });
    const kernel = createKernel({ config: settings, log, db, blobs, features });
    const setup = await setUpSite(kernel);
    return { kernel, ...setup, close: () => db.close() };
  } catch (error) {
    await db.close();
    throw error;
  }
}
