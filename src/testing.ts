/**
 * `canopy-server/testing`: a site in a test, started in one call.
 *
 * @example
 * const site = await startSite({ features: [myFeature] });
 * const { status, body } = await site.request('GET', '/@hello');
 * await site.close();
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSite } from './app/open-site.ts';
import { serveSite } from './app/serve-site.ts';
import { ADMIN, type RunningSite, requestTo } from './app/test-client.ts';
import { unwatchedReadsOf, watchResponses } from './app/watch-responses.ts';
import { parseConfig } from './core/configuration/environment/config.ts';
import { ConfigError } from './core/configuration/environment/setting-names.ts';
import type { Feature } from './core/services/feature.ts';
import { createLog } from './lib/process/process.ts';

export type { Exchange, Json, RequestOptions, RunningSite, Who } from './app/test-client.ts';

/** The options of a site in a test. */
export type StartOptions = {
  /** Features beside those of the program. */
  features?: readonly Feature[];
  /** The profile of the site: `default`, `plone`, or one of `profiles`. */
  profile?: string;
  /** Folders of further profiles, by name. */
  profiles?: Readonly<Record<string, string>>;
  /** Settings of the environment (docs/settings.md), such as `DATABASE_URL` for a database on a server. */
  settings?: Readonly<Record<string, string>>;
  /** The level of the log on standard error: `silent` unless given, or `info`, `debug`. */
  logLevel?: string;
};

/** Throws where migrations have made a table of which no feature says anything. */
function requireDeclared(unknownTables: readonly string[]): void {
  const [table] = unknownTables;
  if (table !== undefined)
    throw new ConfigError(
      `No feature says anything of the table "${table}": name it in "tables" of its feature (docs/add-ons.md).`,
    );
}

/**
 * Starts a site as `canopy start` does, with an embedded database in a temporary folder, on a free port of this machine. Its
 * jobs run as well. The folder is removed when it is closed. Its `close` throws when a response differed from what its service
 * declares.
 * @throws ConfigError when a feature cannot be used
 */
export async function startSite({
  features = [],
  profile = 'default',
  profiles = {},
  settings = {},
  logLevel = 'silent',
}: StartOptions = {}): Promise<RunningSite> {
  const folder = await mkdtemp(join(tmpdir(), 'canopy-test-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const environment = {
      DATA_DIR: folder,
      PROFILE: profile,
      ADMIN_PASSWORD: ADMIN.password,
      WARM_UP: 'off',
      ...settings,
    };
    const config = parseConfig(environment, { profiles: new Map(Object.entries(profiles)) });
    const options = { features, create: true };
    const { kernel, unknownTables, close } = await openSite(config, createLog(logLevel), options);
    try {
      requireDeclared(unknownTables);
      const responses = watchResponses(unwatchedReadsOf(kernel));
      const { onResponse, onUnwatched } = responses;
      const served = await serveSite(kernel, { host: '127.0.0.1', port: 0, onResponse, onUnwatched });
      return {
        url: served.url,
        kernel,
        admin: ADMIN,
        request: requestTo(served.url),
        async close() {
          await served.close();
          await close();
          await removeFolder();
          responses.requireDeclared();
        },
      };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
