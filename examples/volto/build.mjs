// Builds Volto for production, from its package alone: npm run build
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const packages = join(here, 'node_modules');
/** The folder of Volto: it builds there, with its packages in `node_modules`. */
const folder = join(here, 'volto');
const server = join(folder, 'build/server.js');

/** Builds unless there is a build. Throws when that fails. */
export function buildVolto({ again = false } = {}) {
  if (existsSync(server) && !again) return;
  if (!existsSync(packages)) throw new Error(`Volto is not installed. Run "npm ci" in ${here}, then try again.`);
  console.log('Building Volto. This takes some minutes.');
  rmSync(folder, { recursive: true, force: true });
  const package_ = join(packages, '@plone/volto');
  cpSync(package_, folder, { recursive: true, filter: (path) => path !== join(package_, 'node_modules') });
  symlinkSync(packages, join(folder, 'node_modules'), 'dir');
  // Razzle writes PORT into the build, which then could not be started on another port.
  const { PORT: _port, ...environment } = process.env;
  const { status } = spawnSync(
    process.execPath,
    [join(packages, 'razzle/bin/razzle.js'), 'build', '--noninteractive'],
    {
      cwd: folder,
      stdio: 'inherit',
      env: { ...environment, NODE_ENV: 'production', NODE_OPTIONS: '--max-old-space-size=4096' },
    },
  );
  if (status !== 0) throw new Error('Volto does not build, see the messages above.');
}

if (process.argv[1] === join(here, 'build.mjs')) buildVolto({ again: true });
