import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

/** The file whose age is the age of the build. */
const BUILT = join(ROOT, 'dist/bundle/index.js');
/** Packages whose compiled files are in their own folders: the client, the contract of readers, and readers, which the server imports by name. */
const LIBRARIES = ['client', 'markdown-reader', 'nick-export', 'plone-export', 'site-reader', 'wordpress-export'];
const builtIn = (name) => join(ROOT, 'packages', name, 'dist');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const SOURCES = [
  'bin',
  'src',
  'packages/create-canopy-server/bin',
  'packages/create-canopy-server/src',
  'packages/manage/src',
  ...LIBRARIES.map((name) => `packages/${name}/src`),
  'locales',
  'migrations',
  'profiles',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), 0);
}

/** Says if `dist` is missing or older than its sources. An installed package without sources is never stale. */
function isStale() {
  const built = statSync(BUILT, { throwIfNoEntry: false });
  if (built === undefined) return true;
  if (!existsSync(join(ROOT, 'src'))) return false;
  if (LIBRARIES.some((name) => !existsSync(builtIn(name)))) return true;
  return SOURCES.some((source) => newest(join(ROOT, source)) > built.mtimeMs);
}

/** Path of the TypeScript compiler; throws with advice when it is not installed. */
function compiler() {
  if (existsSync(COMPILER)) return COMPILER;
  throw new Error(
    `The server has to be built and TypeScript is not installed. Run "npm install" (not "npm install --omit=dev") in ${ROOT}, then try again.`,
  );
}

/** Runs a program of Node whose messages go to this process's output. Returns false when it fails. */
const succeeds = (...args) => spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status === 0;

/** Runs a program of Node whose messages go to this process's output. Throws when it fails. */
function run(...args) {
  if (!succeeds(...args)) throw new Error('The build failed, see the messages above.');
}

/** Stores machine code of the embedded engine. Where that fails, the program is whole: each start compiles the engine. */
function storeEngine() {
  const folder = join(ROOT, 'dist/engine-code');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  if (!succeeds('--no-liftoff', 'scripts/engine-code.mjs'))
    console.error('The machine code of the embedded database is not stored, so that starts take longer.');
}

/** Files of Swagger UI that the API description needs, with their licences. The package itself has ten times as much, and a script that reports installs. */
const SWAGGER_FILES = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
];

function copySwagger() {
  const folder = join(ROOT, 'dist/swagger-ui');
  mkdirSync(folder, { recursive: true });
  for (const name of SWAGGER_FILES) copyFileSync(join(ROOT, 'node_modules/swagger-ui-dist', name), join(folder, name));
}

/** Moves the compiled files of a package into its own folder. */
function placeLibrary(name) {
  rmSync(builtIn(name), { recursive: true, force: true });
  renameSync(join(ROOT, 'dist/packages', name, 'src'), builtIn(name));
  rmSync(join(ROOT, 'dist/packages', name), { recursive: true });
}

/**
 * Compiles `bin`, `src` and the packages to `dist`, joins the modules to the program, and puts Swagger UI, the page for those who run a site
 * and the database of new sites beside it. Throws when they do not compile.
 */
export function build() {
  const started = new Date();
  // Without noEmitOnError a build with mistakes would count as built.
  run(compiler(), '-p', 'tsconfig.build.json', '--noEmitOnError');
  LIBRARIES.forEach(placeLibrary);
  run('scripts/bundle.mjs');
  copySwagger();
  run('scripts/build-manage.mjs');
  run('scripts/cluster-template.mjs');
  storeEngine();
  // The start of the build counts: what was edited while it ran is newer than it.
  utimesSync(BUILT, started, started);
}

/** Builds when that is needed. */
export function buildIfStale() {
  if (isStale()) build();
}
