import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { connect } from '../scripts/lib/client.mjs';
import { ROOT } from '../scripts/lib/root.mjs';
import { startServer, temporaryDataDir } from '../scripts/lib/server.mjs';

/** Makes a site in an empty database, with a user who has only the role Member. Returns its folder of data. */
export async function makeReaderSite(databaseUrl, options = {}) {
  const dataDir = await temporaryDataDir();
  const server = await startServer({ dataDir, databaseUrl, ...options });
  const client = await connect(server.url);
  await client.send('POST', '/@users', {
    username: 'reader',
    email: 'reader@example.org',
    password: 'reader-password',
  });
  await server.stop();
  return dataDir;
}

/** Indexes all content of a site that nobody serves, and throws when that fails. */
export function reindexSite(databaseUrl, dataDir) {
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'dist/bin/canopy.js'), 'reindex'], { env });
  if (status !== 0) throw new Error(`canopy reindex failed: ${stderr}`);
}
