// The Canopy of this repository: its build, and the program that Volto's start runs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installPackages } from './check.mjs';

const here = import.meta.dirname;
const root = join(here, '../..');

/** Installs the packages of Canopy where they are missing, and builds it when that is needed. */
export function buildCanopy() {
  installPackages(root, 'Canopy');
  const build = [join(root, 'scripts/build-if-stale.mjs')];
  // The build prints its own reason.
  if (spawnSync(process.execPath, build, { cwd: root, stdio: 'inherit' }).status !== 0) process.exit(1);
}

/** The program with its arguments, and its options: on a port, with the data of this folder, for the site at an address. */
export const canopyProgram = ({ port, site }) => [
  [join(root, 'dist/bin/canopy.js'), 'start'],
  {
    cwd: root,
    env: {
      PORT: port,
      PROFILE: 'plone',
      TRUST_PROXY: 'loopback',
      FRONTEND_URL: process.env.FRONTEND_URL ?? site,
      DATA_DIR: process.env.DATA_DIR ?? join(here, 'data'),
    },
  },
];
