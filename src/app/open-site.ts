import { resolve } from 'node:path';
import type { Config } from '../core/configuration/environment/config.ts';
import { ConfigError } from '../core/configuration/environment/setting-names.ts';
import { allProfiles, requireProfile } from '../core/configuration/profiles/profile.ts';
import { openBlobStore } from '../core/files/blobs/open-blob-store.ts';
import type { Kernel } from '../core/kernel/kernel.ts';
import { hasSite } from '../core/people/statements/accounts.ts';
import type { Feature } from '../core/services/feature.ts';
import type { ProblemLog } from '../database/database.ts';
import { migrate, requireKnownSchema } from '../database/migrate.ts';
import { hasEmbedded, openDatabase } from '../database/open.ts';
import { StatementWatch } from '../database/statement-watch.ts';
import { folderPath, type Log, packageFolder } from '../lib/process/process.ts';
import { logMark } from '../lib/process/trace.ts';
import { assembleWith, createKernel } from './create-kernel.ts';
import { setUpSite } from './set-up-site.ts';

/** The error of a command that finds no site; it names the searched place. */
function noSite({ databaseUrl, dataDir }: Config): ConfigError {
  const place =
    databaseUrl === undefined
      ? `in the folder ${resolve(dataDir)} (DATA_DIR)`
      : `in the database ${placeOf(databaseUrl)} (DATABASE_URL)`;
  return new ConfigError(
    `There is no site ${place}. Name its place with DATA_DIR or DATABASE_URL, or make one with "canopy start".`,
  );
}

/** Server and name of a database, without the user and the password. */
export function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'of the settings';
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `${decodeURIComponent(pathname.slice(1))} at ${host || searchParams.get('host') || 'this machine'}`;
}

/** Watches the statements of a process, and logs slow statements if this is configured. */
export const statementWatch = ({ slowStatementMs }: Config, log: Log): StatementWatch =>
  new StatementWatch(
    slowStatementMs === undefined
      ? undefined
      : {
          slowMs: slowStatementMs,
          report: ({ trace, ms, ...slow }) =>
            log.warn({ ...logMark(trace), ms: Math.round(ms * 100) / 100, ...slow }, 'slow statement'),
        },
  );

/** A feature with the folder of its migrations; empty for a feature without migrations. */
const migratedFeature = ({ name, migrations }: Feature): { name: string; folder: string }[] =>
  migrations === undefined ? [] : [{ name, folder: folderPath(migrations) }];

/** A site that is open in this process. */
export type OpenSite = {
  kernel: Kernel;
  /**
   * True if this start made the site; `password` is the generated password of the first Manager, `linkSecret` the secret of the link to choose
   * another password in a browser.
   */
  created: boolean;
  password?: string;
  linkSecret?: string;
  /** Tables of the database that no feature declares. */
  unknownTables: readonly string[];
  close(): Promise<void>;
};

/**
 * Options of opening a site: `features` are from packages outside; `create` makes the site when it does not exist; with `repair` the site may be
 * broken, because a feature is missing.
 */
export type OpenOptions = { features?: readonly Feature[]; create: boolean; repair?: boolean };

/**
 * Opens the configured database and blob store and brings the schema up to date. Throws DatabaseUnavailable or ConfigError, whose messages are one
 * line for people; without `create` also when there is no site, and then nothing is changed.
 */
export async function openSite(
  settings: Config,
  log: Log,
  { features = [], create, repair = false }: OpenOptions,
): Promise<OpenSite> {
  requireProfile(settings.profile, allProfiles(settings));
  // Checked before the database is opened, because opening would create it for a site that cannot start.
  const registries = assembleWith(features);
  const report: ProblemLog = (message, error) =>
    error === undefined ? log.warn(message) : log.error({ err: error }, message);
  const dataDir = resolve(settings.dataDir);
  // Opening would create the embedded database.
  if (!create && settings.databaseUrl === undefined && !hasEmbedded(dataDir)) throw noSite(settings);
  const db = await openDatabase({
    databaseUrl: settings.databaseUrl,
    directUrl: settings.databaseDirectUrl,
    dataDir,
    log: report,
    watch: statementWatch(settings, log),
  });
  try {
    if (!create && !(await hasSite(db))) throw noSite(settings);
    const folder = packageFolder('migrations');
    if (!(await requireKnownSchema(db, folder, features.flatMap(migratedFeature)))) await migrate(db, folder);
    const blobs = await openBlobStore({ dataDir, ...(settings.s3 ? { s3: settings.s3 } : {}) });
    const kernel = createKernel({ config: settings, log, db, blobs, features, registries, repair });
    const setup = await setUpSite(kernel, { repair });
    return { kernel, ...setup, close: () => db.close() };
  } catch (error) {
    await db.close();
    throw error;
  }
}
