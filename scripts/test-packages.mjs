// Tries the packages as a user would: packs each, installs the tarballs into empty folders outside of the repository, makes an add-on
// with `canopy new-addon` and a project with `create-canopy-server`, runs the commands that they print, and serves sites.
// npm run test:packages. npm run test:front-ends installs and builds the front ends of projects instead, and uses their pages; with
// `-- --pictures` it makes those of docs/pictures anew.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from './lib/build.mjs';
import { onEnd, runMain } from './lib/cleanup.mjs';
import { freePort } from './lib/free-port.mjs';
import { ROOT } from './lib/root.mjs';
import { tryFrontEnd } from './packages/front-ends.mjs';
import {
  check,
  environment,
  expectText,
  INSTALL,
  makeProject,
  printedCommands,
  run,
  SERVES,
  start,
} from './packages/programs.mjs';

const ADDON = 'canopy-addon-shelf';

/** A program that reads a site with the client and prints its title. */
const READ_BY_CLIENT = `import { createClient } from '@canopy-server/client';
console.log((await createClient(process.argv[1]).get('/')).title);`;

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
/** Folders of the packages that are published: the server, and those in packages/. */
const PACKAGES = [ROOT, ...readdirSync(join(ROOT, 'packages')).map((name) => join(ROOT, 'packages', name))].filter(
  (folder) => manifestOf(folder).private !== true,
);
/** Those that are in the tarball of the server: it is installed without theirs, to show that it is enough. */
const BUNDLED = PACKAGES.filter((folder) => manifestOf(ROOT).bundleDependencies.includes(manifestOf(folder).name));
/** Readers of other systems, which are installed where they are needed. */
const READERS = PACKAGES.filter(
  (folder) =>
    folder !== ROOT && !BUNDLED.includes(folder) && manifestOf(folder).dependencies?.['@canopy-server/site-reader'],
);
const INSTALLED = PACKAGES.filter((folder) => !BUNDLED.includes(folder) && !READERS.includes(folder));
const { version: VERSION, devDependencies: TOOLS } = manifestOf(ROOT);

/** Packs the package of a folder and returns the path of the tarball, after a look at what is in it. */
function pack(folder, to) {
  const { name, bin = {}, bundleDependencies = [] } = manifestOf(folder);
  // The server is built already; others may have work to do before they are packed.
  const scripts = folder === ROOT ? ['--ignore-scripts'] : [];
  const [{ filename, files }] = JSON.parse(
    run('npm', ['pack', '--json', ...scripts, '--pack-destination', to], folder),
  );
  const paths = files.map(({ path }) => path);
  for (const path of [
    'package.json',
    'README.md',
    'LICENSE',
    ...bundleDependencies.map((one) => `node_modules/${one}/dist/index.js`),
    ...Object.values(bin).map((one) => one.replace(/^\.\//, '')),
  ])
    check(paths.includes(path), `${name} has no ${path} in its tarball.`);
  const bundled = bundleDependencies.map((one) => `node_modules/${one}/`);
  const wrong = paths.filter(
    (path) =>
      /(?:^|\/)(?:node_modules|data|\.env)\/|\.test\.js$/.test(path) && !bundled.some((one) => path.startsWith(one)),
  );
  check(wrong.length === 0, `${name} has in its tarball: ${wrong.join(', ')}`);
  return join(to, filename);
}

const CANOPY = 'node_modules/canopy-server/dist/bin/canopy.js';

/** The packages that came with the installed server. */
const bundledIn = (folder) =>
  readdirSync(join(folder, 'node_modules/canopy-server/node_modules'), { recursive: true }).sort().join();

/** Imports an export of Plone into a new site, as the first thing that somebody does who changes to Canopy. */
function tryImport(folder) {
  const fixture = join(ROOT, 'test/fixtures/imports/plone');
  const args = ['canopy-server', 'import', fixture, '--new-site'];
  const env = environment({ DATA_DIR: join(folder, 'imported'), ADMIN_PASSWORD: 'admin' });
  const { status, stdout, stderr } = spawnSync('npx', args, { cwd: folder, encoding: 'utf8', env });
  // Some of this export has no place here.
  check(status === 3, `The import ended with ${status}\n${stdout}\n${stderr}`);
  check(/objects: +[1-9]\d* created, 0 skipped, 0 failed/.test(stdout), stdout);
  console.log(stdout.split('\n').slice(0, 10).join('\n'));
}

/** Installs the readers beside the server, and imports a folder of Markdown: an installed reader is found by what it recognises. */
function tryReaders(tarballs, folder) {
  run('npm', [...INSTALL, ...tarballs], folder);
  const texts = join(folder, 'texts');
  mkdirSync(texts);
  writeFileSync(join(texts, 'hello.md'), '# Hello from Markdown\n\nA text.\n');
  const args = ['canopy-server', 'import', texts, '--new-site'];
  const env = environment({ DATA_DIR: join(folder, 'from-markdown'), ADMIN_PASSWORD: 'admin' });
  const output = run('npx', args, folder, { env });
  check(/Import \(Markdown\):[\s\S]*objects: +1 created, 0 skipped, 0 failed/.test(output), output);
}

/** The server, installed into an empty folder: its commands, its types, and an add-on by `new-addon`. */
async function tryServer(tarballs, readers, folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const tools = ['typescript', '@types/node'].map((name) => `${name}@${TOOLS[name]}`);
  run('npm', [...INSTALL, ...tarballs, ...tools], folder);

  // Both names lead to the program that is installed, also without the registry.
  for (const name of ['canopy', 'canopy-server'])
    check(run('npx', ['--offline', name, '--version'], folder).trim() === `canopy ${VERSION}`, `${name} --version`);
  for (const { name, exports } of INSTALLED.map(manifestOf))
    if (exports) run(process.execPath, ['--input-type=module', '-e', `await import('${name}')`], folder);
  const tsc = join(folder, 'node_modules/typescript/bin/tsc');
  cpSync(join(ROOT, 'test/public-types'), join(folder, 'public-types'), { recursive: true });
  run(process.execPath, [tsc, '-p', 'public-types'], folder);

  tryImport(folder);
  const bundled = bundledIn(folder);
  const [commands] = printedCommands(run('npx', ['canopy-server', 'new-addon', ADDON], folder));
  console.log(run(commands, [], folder, { shell: true }));
  check(bundledIn(folder) === bundled, 'The installation of the add-on has changed the installed program.');
  writeFileSync(
    join(folder, 'canopy.config.mjs'),
    `import { defineConfig, defineFeature, defineService, ok } from 'canopy-server';
const hello = defineService({ name: '@hello', method: 'GET', context: 'content', permission: null, summary: 'Says hello.',
  responses: { 200: { description: 'A greeting.' } }, run: async ({ resolved }) => ok({ hello: resolved.object.title }) });
export default defineConfig({ features: ['./${ADDON}', defineFeature({ name: 'hello', services: [hello] })] });
`,
  );
  const { url, stop } = await start(process.execPath, [CANOPY, 'start'], {
    cwd: folder,
    env: { PORT: '0', ADMIN_PASSWORD: 'admin' },
    pattern: SERVES,
  });
  await expectText(url, '/@hello', '"hello":');
  await expectText(url, '/@shelf-rating', '"count":0');
  const title = run(process.execPath, ['--input-type=module', '-e', READ_BY_CLIENT, url], folder);
  check(title.trim() === 'Welcome to Canopy!', `The client reads "${title}"`);
  await stop();
  console.log(run(process.execPath, [CANOPY, 'shelf-count'], folder));
  tryReaders(readers, folder);
}

/** A project without a front end: its printed commands, up to a site that answers. */
async function tryProject(folder, server) {
  const { project, commands } = makeProject(folder, server, 'none', ADDON);
  check(commands.join() === 'npm install,npm test,npm start', `The commands are ${commands.join()}`);
  const lost = makeProject(folder, server, 'volto', 'none').project;
  check(existsSync(join(lost, 'front-end/.npmrc')), 'A project with Volto has no .npmrc.');
  run('npm', INSTALL, project);
  const tested = run('npm', ['test'], project);
  check(/^(?:#|ℹ) fail 0$/m.test(tested) && /^(?:#|ℹ) pass [1-9]/m.test(tested), tested);
  writeFileSync(join(project, '.env'), `ADMIN_PASSWORD=from-the-file\nPORT=${await freePort()}\n`);
  const { url, stop, output } = await start('npm', ['start'], { cwd: project, pattern: SERVES });
  check(!output().includes('The password of admin'), 'The password of .env does not count.');
  await expectText(url, '/', 'Welcome to Canopy!');
  await expectText(url, '/@shelf-rating', '"count":0');
  await stop();
}

await runMain(async () => {
  buildIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'canopy-packages-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const bundled = BUNDLED.map((one) => pack(one, folder));
  const [server, ...tarballs] = INSTALLED.map((one) => pack(one, folder));

  const tools = join(folder, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'package.json'), '{ "private": true, "type": "module" }');
  // Without the server beside it, as npm create has it.
  run('npm', [...INSTALL, ...tarballs.filter((path) => path.includes('create-')), '--offline'], tools);
  if (process.argv.includes('--front-ends')) {
    const named = ['astro', 'next'].filter((name) => process.argv.includes(name));
    const client = tarballs.find((path) => path.includes('client'));
    const pictures = process.argv.includes('--pictures');
    for (const name of named.length > 0 ? named : ['astro', 'next'])
      await tryFrontEnd(name, { folder: tools, server, client, pictures });
    return 0;
  }
  const contract = bundled.filter((path) => path.includes('site-reader'));
  const readers = [...contract, ...READERS.map((one) => pack(one, folder))];
  await tryServer([server, ...tarballs], readers, join(folder, 'server'));
  await tryProject(tools, server);
});
