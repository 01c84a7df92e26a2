import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel } from '../../src/app/create-kernel.ts';
import { statementWatch } from '../../src/app/open-site.ts';
import { serveSite } from '../../src/app/serve-site.ts';
import { setUpSite } from '../../src/app/set-up-site.ts';
import { ADMIN, type RunningSite, requestTo } from '../../src/app/test-client.ts';
import { unwatchedReadsOf, watchResponses } from '../../src/app/watch-responses.ts';
import { parseConfig } from '../../src/core/configuration/environment/config.ts';
import { openBlobStore } from '../../src/core/files/blobs/open-blob-store.ts';
import type { Server } from '../../src/core/http/request-path.ts';
import type { Feature } from '../../src/core/services/feature.ts';
import type { Database } from '../../src/database/database.ts';
import { createLog, type Log } from '../../src/lib/process/process.ts';
import { createTestDatabase, quickestEngine } from './database.ts';
import type { Engine } from './engines.ts';
import { offerFolders, testedProfile } from './profiles.ts';

export type { Exchange, Json, RequestOptions, Who } from '../../src/app/test-client.ts';

/** A running site of one test file, over the wire. */
export type TestSite = RunningSite & { server: Server };

/** A kernel on a fresh database with the site of a profile, without HTTP. `wrap` may put something around the database. */
export async function createTestKernel(
  engine: Engine,
  {
    profile,
    wrap = (db: Database) => db,
    environment = {},
    features = [],
    profiles = new Map(),
    log = createLog('silent'),
  }: {
    profile?: string;
    wrap?: (db: Database) => Database;
    environment?: Record<string, string>;
    /** Features beside those of the program. */
    features?: readonly Feature[];
    /** Profiles beside those of the program: folders by their names. */
    profiles?: ReadonlyMap<string, string>;
    log?: Log;
  } = {},
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'canopy-site-'));
  const settings = parseConfig(
    {
      DATA_DIR: dataDir,
      PROFILE: profile ?? testedProfile(),
      ADMIN_PASSWORD: ADMIN.password,
      WARM_UP: 'off',
      ...environment,
    },
    { profiles },
  );
  const test = await createTestDatabase(engine, { watch: statementWatch(settings, log) });
  const blobs = await openBlobStore({ dataDir, ...(settings.s3 && { s3: settings.s3 }) });
  const kernel = createKernel({ config: settings, log, db: wrap(test.database), blobs, features });
  await setUpSite(kernel);
  if (profile === undefined && testedProfile() === 'plone') await offerFolders(kernel);
  return {
    kernel,
    dataDir,
    problems: test.problems,
    async close() {
      await test.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a site on a fresh database of the engine (the quickest of this run, unless given) and listens on a free port. Its
 * `close` throws when a response differed from the declaration of its service.
 */
export async function startTestSite(
  engine: Engine = quickestEngine(),
  options: Parameters<typeof createTestKernel>[1] = {},
): Promise<TestSite> {
  const { kernel, close } = await createTestKernel(engine, options);
  const responses = watchResponses(unwatchedReadsOf(kernel));
  const { onResponse, onUnwatched } = responses;
  const served = await serveSite(kernel, { host: '127.0.0.1', port: 0, jobs: false, onResponse, onUnwatched });
  return {
    url: served.url,
    kernel,
    server: served.server,
    admin: ADMIN,
    request: requestTo(served.url),
    async close() {
      await served.close();
      await close();
      responses.requireDeclared();
    },
  };
}
