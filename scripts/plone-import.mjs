// Imports an export of the built server into a real Plone, and compares each object: npm run test:plone-import
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPlone } from '../compare/plone.mjs';
import { logIn, managerAt } from '../compare/round-trip/client.mjs';
import { furnish, PASSWORD, writeOldUsers } from '../compare/round-trip/furnish.mjs';
import { compareSites, openDoors } from '../compare/round-trip/same.mjs';
import { buildIfStale } from './lib/build.mjs';
import { runMain } from './lib/cleanup.mjs';
import { ROOT } from './lib/root.mjs';
import { startServer, temporaryDataDir } from './lib/server.mjs';

/** The number of characters of a value that are printed. */
const SHOWN = 400;

/** Milliseconds until an import of Plone counts as failed. */
const IMPORT_MS = 600_000;

/** Runs a command of the built server, and returns what it prints. */
const canopy = (env, ...args) =>
  execFileSync(process.execPath, [join(ROOT, 'dist/bin/canopy.js'), ...args], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });

/** Makes a site and exports it into a folder. Returns the site, served again. */
async function exportedSite(folder) {
  const dataDir = await temporaryDataDir();
  const env = { DATA_DIR: dataDir, PROFILE: 'plone', ADMIN_PASSWORD: 'admin' };
  const users = await temporaryDataDir();
  writeOldUsers(users);
  canopy(env, 'import', users, '--new-site');
  const server = await startServer({ dataDir, env });
  await furnish(await managerAt(server.url));
  await server.stop();
  process.stdout.write(canopy(env, 'export', folder));
  return startServer({ dataDir, env });
}

/** Starts a Plone with what the folder has. */
const ploneWith = (folder) =>
  startPlone({
    prepare({ conf, program }) {
      const run = (name, ...args) =>
        execFileSync(program(name), args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: IMPORT_MS });
      run('zconsole', 'run', conf, join(ROOT, 'compare/plone/add-languages.py'));
      run('plone-importer', '--quiet', conf, 'Plone', folder);
    },
  });

await runMain(async () => {
  buildIfStale();
  const folder = join(await temporaryDataDir(), 'export');
  const server = await exportedSite(folder);
  const plone = await ploneWith(folder);
  const sites = [await managerAt(server.url), await managerAt(`${plone.url}/Plone`)];
  const { objects, found } = await compareSites(...sites);
  for (const { at, canopy: here, plone: there } of found)
    console.log(
      `${at}\n  Canopy: ${JSON.stringify(here)?.slice(0, SHOWN)}\n  Plone:  ${JSON.stringify(there)?.slice(0, SHOWN)}`,
    );
  const principals = JSON.parse(readFileSync(join(folder, 'principals.json'), 'utf8'));
  const open = await openDoors(sites[1], principals);
  // The check itself: on the site of the export the old password is right.
  if ((await logIn(server.url, 'ann', PASSWORD)).status !== 200) open.push('ann does not log in on her own site');
  for (const line of open) console.log(line);
  console.log(`${objects} objects came to Plone: ${found.length} differences, ${open.length} wrong logins.`);
  return found.length + open.length > 0 ? 1 : 0;
});
