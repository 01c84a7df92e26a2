import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar/fs';
import pg from 'pg';
import { openSite } from '../../src/app/open-site.ts';
import { serveSite } from '../../src/app/serve-site.ts';
import { ADMIN, requestTo } from '../../src/app/test-client.ts';
import { parseConfig } from '../../src/core/configuration/environment/config.ts';
import { checkFeature, isNamedFeature } from '../../src/core/services/check-feature.ts';
import { createLog, packageFolder } from '../../src/lib/process/process.ts';
import type { Engine } from '../support/engines.ts';
import { postgresPrograms } from '../support/postgres-server.ts';
import type { TestSite } from '../support/site.ts';

const RELEASES = join(packageFolder('test'), 'fixtures/releases');

/** The archive of the site of a release, and the recorded responses. */
export const archiveOf = (release: string, engine: Engine): string => join(RELEASES, release, `${engine}.tar.br`);
export const answersOf = (release: string, engine: Engine): string => join(RELEASES, release, `${engine}.json`);

/** The dump of a database on PostgreSQL, in its archive beside the files. */
const DUMP = 'database.sql';

/** The address of the site in links, so that they are the same on every port. */
const PUBLIC_URL = 'http://release.example';

/** Not taken along: who has the folder, and room for a full disk. */
const LEFT = ['canopy.lock', 'canopy.pid', 'reserve'];

/** The windows of both sides reach over one copy of the catalogs of PostgreSQL, of which a folder has three. */
const WINDOW = 24;

/** Packs a data folder. */
export async function packSite(dataDir: string, archive: string): Promise<void> {
  const params = { [constants.BROTLI_PARAM_LGWIN]: WINDOW, [constants.BROTLI_PARAM_QUALITY]: 9 };
  const files = packTar(dataDir, { filter: (path) => !LEFT.includes(basename(path)) });
  await pipeline(files, createBrotliCompress({ params }), createWriteStream(archive));
}

/** Unpacks a data folder. */
export async function unpackSite(archive: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const files = unpackTar(dataDir, { fmode: 0o600, dmode: 0o700 });
  await pipeline(createReadStream(archive), createBrotliDecompress(), files);
}

/** Writes a database on PostgreSQL into a file of the folder, as statements that every version from this one on runs. */
export function dumpDatabase(url: string, dataDir: string): void {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('The fixture of PostgreSQL needs pg_dump.');
  const options = ['--inserts', '--rows-per-insert=50', '--no-owner', '--no-privileges', '--schema=public'];
  execFileSync(join(programs, 'pg_dump'), [...options, `--file=${join(dataDir, DUMP)}`, url], { stdio: 'pipe' });
}

/** Fills an empty database with the dump in the folder. */
export async function restoreDatabase(url: string, dataDir: string): Promise<void> {
  const dump = await readFile(join(dataDir, DUMP), 'utf8');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // The commands of psql in it, and the schema that every database has.
    await client.query(dump.replace(/^\\.*$/gm, '').replace(/^CREATE SCHEMA public;$/m, ''));
  } finally {
    await client.end();
  }
}

/** The example add-on, with the code of today. */
async function exampleAddon() {
  // The address is no constant, because the compiler does not know the package `canopy` from inside.
  const address = new URL('../../examples/addon/src/index.ts', import.meta.url).href;
  const { default: feature }: { default: unknown } = await import(address);
  if (!isNamedFeature(feature)) throw new Error('The example is no feature.');
  return checkFeature(feature, 'The example');
}

/** A site of the folder, served with the example add-on. Its jobs do not run. */
export async function startRelease(dataDir: string, url: string | undefined, create: boolean): Promise<TestSite> {
  const settings = { DATA_DIR: dataDir, PUBLIC_URL, ADMIN_PASSWORD: ADMIN.password, TRUST_PROXY: 'loopback' };
  const config = parseConfig({ ...settings, ...(url !== undefined && { DATABASE_URL: url }) });
  const opened = await openSite(config, createLog('silent'), { create, features: [await exampleAddon()] });
  const served = await serveSite(opened.kernel, { host: '127.0.0.1', port: 0, jobs: false });
  return {
    url: served.url,
    kernel: opened.kernel,
    server: served.server,
    admin: ADMIN,
    request: requestTo(served.url),
    async close() {
      await served.close();
      await opened.close();
    },
  };
}
