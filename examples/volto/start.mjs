// Starts Canopy with the profile "plone" and Volto in front of it: npm start
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildVolto } from './build.mjs';

const here = import.meta.dirname;
const root = join(here, '../..');
const { API_PORT = '8080', PORT = '3000', API_URL } = process.env;
/** The address of a running Canopy, or of the one that is started here. */
const canopy = API_URL ?? `http://127.0.0.1:${API_PORT}`;
const children = [];

function run(program, { cwd, env }) {
  const child = spawn(process.execPath, program, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
  children.push(child);
  child.on('exit', (code) => stop(code ?? 1));
  return child;
}

function stop(code) {
  process.exitCode = code;
  for (const child of children) child.kill();
}

async function waitFor(url) {
  for (;;) {
    try {
      await fetch(url, { headers: { Accept: 'application/json' } });
      return;
    } catch {
      // Canopy does not listen yet. If it ends, this program ends as well.
      if (process.exitCode !== undefined) process.exit();
      await sleep(200);
    }
  }
}

process.once('SIGINT', () => stop(130));
process.once('SIGTERM', () => stop(143));

buildVolto();
if (API_URL === undefined) {
  const built = spawnSync(process.execPath, [join(root, 'scripts/build-if-stale.mjs')], {
    cwd: root,
    stdio: 'inherit',
  });
  if (built.status !== 0) process.exit(1);
  run([join(root, 'dist/bin/canopy.js'), 'start'], {
    cwd: root,
    env: {
      PORT: API_PORT,
      PROFILE: 'plone',
      TRUST_PROXY: 'loopback',
      DATA_DIR: process.env.DATA_DIR ?? join(here, 'data'),
    },
  });
}
await waitFor(`${canopy}/@site`);
run([join(here, 'volto/build/server.js')], {
  cwd: join(here, 'volto'),
  env: { NODE_ENV: 'production', PORT, RAZZLE_INTERNAL_API_PATH: canopy, RAZZLE_DEV_PROXY_API_PATH: canopy },
});
await waitFor(`http://127.0.0.1:${PORT}/ok`);
console.log(`Volto shows the site at http://localhost:${PORT}`);
