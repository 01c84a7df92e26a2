// Tries the package as a user would: packs it, installs the tarball into an empty folder, makes an add-on with
// `canopy new-addon`, runs the commands that it prints, and serves a site with the add-on. npm run test:addon
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from './lib/build.mjs';
import { onEnd, runMain } from './lib/cleanup.mjs';
import { ROOT } from './lib/root.mjs';
import { stopChild } from './lib/stop-child.mjs';

const ADDON = 'canopy-addon-shelf';
/** The most milliseconds for the start of a new site. */
const PATIENCE = 120_000;

/** Runs a program and returns what it prints. Throws when it fails. */
function run(command, args, cwd, options = {}) {
  console.log(`> ${command} ${args.join(' ')}`);
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Returns the line of commands in the output of `new-addon`. Throws for an output without it. */
function printedCommands(output) {
  const line = /^ {2}(cd .*)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`new-addon prints no commands: ${output}`);
  return line;
}

const versionOf = (name) =>
  run('npm', ['pkg', 'get', `devDependencies.${name}`], ROOT)
    .trim()
    .replaceAll('"', '');

/** Starts the program in a folder and resolves with its address. Rejects when it ends instead. */
function startIn(folder) {
  const env = { PATH: process.env.PATH, PORT: '0', ADMIN_PASSWORD: 'admin' };
  const child = spawn(process.execPath, ['node_modules/canopy-server/dist/bin/canopy.js', 'start'], { cwd: folder, env });
  onEnd(() => stopChild(child));
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (text) => {
      output += text;
      const url = /^Canopy serves (\S+)$/m.exec(output)?.[1];
      if (url !== undefined) resolve({ url, child });
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
    child.once('exit', () => reject(new Error(`The program does not serve: ${output}`)));
    setTimeout(() => reject(new Error(`The program does not serve in time: ${output}`)), PATIENCE).unref();
  });
}

/** Throws unless the response to a request contains a text. */
async function expectText(url, path, text) {
  const response = await fetch(url + path, { headers: { Accept: 'application/json' } });
  const body = await response.text();
  if (!body.includes(text)) throw new Error(`GET ${path} returned ${response.status} ${body}`);
  console.log(`GET ${path}: ${body}`);
}

await runMain(async () => {
  buildIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'canopy-addon-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const packed = run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], ROOT);
  const tarball = `./${packed.trim().split('\n').at(-1)}`;
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const tools = [`typescript@${versionOf('typescript')}`, `@types/node@${versionOf('@types/node')}`];
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball, ...tools], folder);

  const tsc = join(folder, 'node_modules/typescript/bin/tsc');
  cpSync(join(ROOT, 'test/public-types'), join(folder, 'public-types'), { recursive: true });
  run(process.execPath, [tsc, '-p', 'public-types'], folder);

  const printed = run('npx', ['canopy-server', 'new-addon', ADDON], folder);
  console.log(run(printedCommands(printed), [], folder, { shell: true }));
  if (existsSync(join(folder, 'node_modules/canopy-server/node_modules')))
    throw new Error('The installation of the add-on has changed the installed program.');

  writeFileSync(
    join(folder, 'canopy.config.mjs'),
    `import { defineConfig, defineFeature, defineService, ok } from 'canopy-server';
const hello = defineService({ name: '@hello', method: 'GET', context: 'content', permission: null, summary: 'Says hello.',
  responses: { 200: { description: 'A greeting.' } }, run: async ({ resolved }) => ok({ hello: resolved.object.title }) });
export default defineConfig({ features: ['./${ADDON}', defineFeature({ name: 'hello', services: [hello] })] });
`,
  );
  const { url, child } = await startIn(folder);
  await expectText(url, '/@hello', '"hello":');
  await expectText(url, '/@shelf-rating', '"count":0');
  await stopChild(child);
  console.log(run(process.execPath, ['node_modules/canopy-server/dist/bin/canopy.js', 'shelf-count'], folder));
});
