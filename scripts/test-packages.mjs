// Tries the packages as a user would: packs each, installs the tarballs into empty folders outside of the repository, makes an add-on
// with `canopy new-addon` and a project with `create-canopy-server`, runs the commands that they print, and serves sites.
// npm run test:packages; with `-- --front-ends` it installs and builds the front ends of projects, too, and reads their pages.
import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildIfStale } from './lib/build.mjs';
import { onEnd, runMain } from './lib/cleanup.mjs';
import { freePort } from './lib/free-port.mjs';
import { ROOT } from './lib/root.mjs';
import { stopChild } from './lib/stop-child.mjs';

const ADDON = 'canopy-addon-shelf';
/** The most milliseconds for the start of a new site, or of a front end. */
const PATIENCE_MS = 180_000;
const INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline'];

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

/** Runs a program and returns what it prints. Throws when it fails. */
function run(command, args, cwd, options = {}) {
  console.log(`> ${command} ${args.join(' ')}`);
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

function check(condition, message) {
  if (!condition) throw new Error(message);
}

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

/** The lines of commands in the output of a program. Throws for an output without them. */
function printedCommands(output) {
  const lines = [...output.matchAll(/^ {2}(\S.*)$/gm)].map(([, line]) => line);
  check(lines.length > 0, `No commands are printed: ${output}`);
  return lines;
}

const environment = (settings) => ({ PATH: process.env.PATH, HOME: process.env.HOME, ...settings });

/** Starts a program in a folder and resolves with the address that it prints. Rejects when it ends instead. */
function start(command, args, { cwd, env, pattern }) {
  const child = spawn(command, args, { cwd, env: environment(env), detached: true });
  const stop = onEnd(async () => {
    // Programs that npm has started end with it.
    try {
      process.kill(-child.pid, 'SIGTERM');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
    await stopChild(child);
  });
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (text) => {
      output += text;
      const url = pattern.exec(output)?.[1];
      if (url !== undefined) resolve({ url, stop, output: () => output });
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
    child.once('exit', () => reject(new Error(`The program does not serve: ${output}`)));
    setTimeout(() => reject(new Error(`The program does not serve in time: ${output}`)), PATIENCE_MS).unref();
  });
}

const SERVES = /^Canopy serves (\S+)$/m;
const CANOPY = 'node_modules/canopy-server/dist/bin/canopy.js';

/** Throws unless the response to a request contains a text. */
async function expectText(url, path, text, accept = 'application/json') {
  const response = await fetch(url + path, { headers: { Accept: accept } });
  const body = await response.text();
  check(body.includes(text), `GET ${path} returned ${response.status} without "${text}": ${body.slice(0, 2000)}`);
  console.log(`GET ${path}: ${response.status}, ${body.length} characters with "${text}"`);
}

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

/** Makes a project with the packed starter and returns its folder and the commands that it prints, without those that enter it. */
function makeProject(folder, server, frontEnd, addOn) {
  const name = `site-${frontEnd}`;
  const options = ['--front-end', frontEnd, '--add-on', addOn, '--server', server];
  const [enter, ...printed] = printedCommands(
    run('npx', ['--offline', 'create-canopy-server', name, ...options], folder),
  );
  check(enter === `cd ${name}`, `The first command is ${enter}.`);
  return { project: join(folder, name), commands: printed.filter((line) => line !== enter) };
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

/** Projects with front ends, built for production: their pages in front of a site with content. */
async function tryFrontEnds(folder, server, names) {
  for (const name of names) {
    const { project, commands } = makeProject(folder, server, name, 'none');
    check(commands.includes('npm run front-end'), `The commands are ${commands.join()}`);
    run('npm', INSTALL, project);
    run('npm', INSTALL, join(project, 'front-end'));
    run('npm', ['run', 'build'], join(project, 'front-end'), { env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } });
    const canopy = await start('npm', ['start'], {
      cwd: project,
      env: { PORT: '0', ADMIN_PASSWORD: 'admin', WEBHOOK_PRIVATE_ADDRESSES: '1' },
      pattern: SERVES,
    });
    const token = await fillSite(canopy.url);
    const port = String(await freePort());
    const site = `http://127.0.0.1:${port}`;
    const webhook = { title: 'Front end', url: `${site}/api/revalidate` };
    const { secret } = name === 'next' ? await send(canopy.url, 'POST', '/@webhooks', webhook) : {};
    const front = await start('npm', ['start'], {
      cwd: join(project, 'front-end'),
      env: {
        PORT: port,
        HOST: '127.0.0.1',
        CANOPY_URL: canopy.url,
        SITE_URL: site,
        CANOPY_WEBHOOK_SECRET: secret ?? '',
      },
      pattern: /(http:\/\/(?:127\.0\.0\.1|localhost|0\.0\.0\.0):\d+)/,
    });
    await sleep(500);
    await expectText(site, '/', 'Your site is up and running', 'text/html');
    await expectText(site, '/', '>Town hall</a>', 'text/html');
    await expectText(site, '/town-hall/hours', 'Every day from <strong>9', 'text/html');
    await expectText(site, '/town-hall/hours', 'href="/town-hall"', 'text/html');
    await expectText(site, '/town-hall/dot', 'w"', 'text/html');
    await expectText(site, '/search?text=opening', 'href="/town-hall/hours"', 'text/html');
    check((await fetch(`${site}/nowhere`)).status === 404, 'A page that is not there is not 404.');
    check((await fetch(`${site}/@users`)).status === 404, 'A service is shown as a page.');
    const moved = await fetch(`${site}/old-hall/hours`, { redirect: 'manual' });
    check(moved.headers.get('location')?.endsWith('/town-hall/hours'), 'An old address does not lead to the new one.');
    await expectText(site, '/search?text=opening', 'type=Page', 'text/html');
    check(
      !(await textOf(`${site}/search?text=opening&type=Image`)).includes('/town-hall/hours'),
      'A facet does not narrow.',
    );
    await expectText(site, '/sitemap.xml', `<loc>${site}/town-hall/hours</loc>`, 'text/html');
    check((await fetch(`${site}/draft`)).status === 401, 'A page that is not public is not 401.');
    await expectText(site, `/draft?preview_token=${token}`, 'This is a draft', 'text/html');
    check((await fetch(`${site}/draft`)).status === 401, 'A draft is kept for others.');
    await tryChange(canopy.url, site, { keepsPages: name === 'next' });
    await front.stop();
    await canopy.stop();
  }
}

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const textOf = async (url) => (await fetch(url)).text();

/** Milliseconds from a change to the new page. */
const MAX_DELAY_MS = 2000;

/** Sends a webhook in the form of docs/webhooks.md with a signature by another secret, and returns the status. */
async function sendForged(site) {
  const body = JSON.stringify({ id: 'msg_1', type: 'content.changed', data: { event: 'changed', keys: [] } });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', 'another').update(`msg_1.${timestamp}.${body}`).digest('base64');
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  return (await fetch(`${site}/api/revalidate`, { method: 'POST', body, headers })).status;
}

/**
 * Changes the title of a page: the pages that show it have it within two seconds, for a front end that keeps its pages by the webhook of
 * Canopy. None of the others is made again.
 */
async function tryChange(url, site, { keepsPages }) {
  const shown = ['/town-hall/hours', '/town-hall'];
  const others = ['/town-hall/dot', '/'];
  const madeAt = async (path) => /<time>([^<]*)/.exec(await textOf(site + path))?.[1];
  for (const path of shown) await textOf(site + path);
  const before = await Promise.all(others.map(madeAt));
  if (keepsPages) check((await sendForged(site)) === 401, 'A wrong signature is accepted.');
  await send(url, 'PATCH', '/town-hall/hours', { title: 'New hours' });
  const begun = performance.now();
  for (const path of shown)
    while (!(await textOf(site + path)).includes('New hours')) {
      check(performance.now() - begun < MAX_DELAY_MS, `${path} is the old one after ${MAX_DELAY_MS} ms.`);
      await sleep(25);
    }
  console.log(`The new pages took ${Math.round(performance.now() - begun)} ms.`);
  if (!keepsPages) return;
  const after = await Promise.all(others.map(madeAt));
  check(
    before.every((time) => time !== undefined) && before.join() === after.join(),
    `Others are made again: ${before} ${after}`,
  );
}

/** Sends JSON to Canopy as admin, and returns the response. */
async function send(url, method, path, body) {
  const response = await fetch(url + path, {
    method,
    body: JSON.stringify(body),
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}`,
    },
  });
  const text = await response.text();
  check(response.ok, `${method} ${path} returned ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Makes a published folder with a page and a picture, renames it, and returns the token of a preview link of a draft. */
async function fillSite(url) {
  await send(url, 'POST', '/', { '@type': 'Folder', id: 'old-hall', title: 'Town hall' });
  const children = [{ text: 'Every day from ' }, { type: 'strong', children: [{ text: '9 to 12' }] }, { text: '' }];
  await send(url, 'POST', '/old-hall', {
    ...{ '@type': 'Page', id: 'hours', title: 'Opening hours' },
    blocks: { one: { '@type': 'slate', plaintext: 'Every day from 9 to 12', value: [{ type: 'p', children }] } },
    blocks_layout: { items: ['one'] },
  });
  const image = { data: DOT, encoding: 'base64', filename: 'dot.png', 'content-type': 'image/png' };
  await send(url, 'POST', '/old-hall', { '@type': 'Image', id: 'dot', title: 'A dot', image });
  await send(url, 'POST', '/old-hall/@workflow/publish', { include_children: true });
  await send(url, 'PATCH', '/old-hall', { id: 'town-hall' });
  await send(url, 'PATCH', '/@controlpanels/caching', { enabled: true, tag_header: 'Surrogate-Key' });
  await send(url, 'POST', '/', { '@type': 'Page', id: 'draft', title: 'A draft' });
  return (await send(url, 'POST', '/draft/@preview-links', { title: 'For a test' })).token;
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
    return tryFrontEnds(tools, server, named.length > 0 ? named : ['astro', 'next']);
  }
  const contract = bundled.filter((path) => path.includes('site-reader'));
  const readers = [...contract, ...READERS.map((one) => pack(one, folder))];
  await tryServer([server, ...tarballs], readers, join(folder, 'server'));
  await tryProject(tools, server);
});
