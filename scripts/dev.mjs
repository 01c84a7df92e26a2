// Builds on every change and restarts the server: npm run dev. Arguments and the environment go to the server.
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale } from './lib/build.mjs';
import { onEnd, runMain } from './lib/cleanup.mjs';
import { ROOT } from './lib/root.mjs';
import { stopChild } from './lib/stop-child.mjs';

/** Milliseconds without a change before a build, because editors and git write many files at once. */
const QUIET = 200;
const WATCHED = ['bin', 'src', 'packages/plone-export/src', 'packages/site-reader/src', 'migrations', 'profiles'];

function startServer() {
  const args = ['--enable-source-maps', 'dist/bin/canopy.js', 'start', ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  child.once('exit', (code) => {
    if (code) console.error(`The server ended with ${code}; it is started again after the next change.`);
  });
  return child;
}

/** Calls `changed` after each burst of changes in the sources. */
function watchSources(changed) {
  let timer;
  for (const folder of WATCHED.map((name) => join(ROOT, name)).filter((path) => existsSync(path))) {
    const watcher = watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(changed, QUIET);
    });
    onEnd(() => watcher.close());
  }
  onEnd(() => clearTimeout(timer));
}

await runMain(async () => {
  buildIfStale();
  let server = startServer();
  onEnd(() => stopChild(server));

  async function rebuild() {
    try {
      buildIfStale();
    } catch (error) {
      console.error(`${error.message} The server goes on with the last build.`);
      return;
    }
    console.log('Restarting');
    await stopChild(server);
    server = startServer();
  }
  // One server at a time, because the embedded database must be closed before the next process opens it.
  let last = Promise.resolve();
  watchSources(() => {
    last = last.then(rebuild);
  });
  // Until it is interrupted.
  return new Promise(() => {});
});
