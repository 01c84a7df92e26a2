import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { startClusterIn } from '../../../scripts/lib/postgres.mjs';
import { ROOT } from '../../../scripts/lib/root.mjs';
import { startServer } from '../../../scripts/lib/server.mjs';
import { contentKey } from '../content.mjs';
import { copyOf, once } from '../kept.mjs';
import { clientFor, fillSite } from '../site.mjs';
import { startVarnish } from './varnish.mjs';

/** Settings of a server that keeps no responses, and one that keeps no rows either: everything comes from the database. */
export const KEEPS_ROWS = { RESPONSE_CACHE_MB: '0' };
export const KEEPS_NOTHING = { ...KEEPS_ROWS, ROW_CACHE_MB: '0' };

/** Milliseconds for which readers may get an old response behind Varnish (docs/caching.md), and after the process was killed. */
const PURGE_MS = 5000;
const PURGE_AFTER_KILL_MS = 25_000;
/** A start may have to make a new site. */
const START_MS = 180_000;

/** Starts the server, and its database, in a folder with their data. */
async function startIn(home, engine, env) {
  const dataDir = join(home, 'data');
  await mkdir(dataDir, { recursive: true });
  let cluster;
  if (engine === 'postgresql') {
    await mkdir(join(home, 'pg'), { recursive: true });
    cluster = await startClusterIn(join(home, 'pg'), { durable: true });
  }
  const setting = { dataDir, databaseUrl: cluster?.url, port: await freePort(), timeout: START_MS };
  const start = (nodeArgs) => startServer({ ...setting, env, nodeArgs });
  let server = await start().catch(async (error) => {
    await cluster?.stop();
    throw error;
  });
  return {
    url: server.url,
    pids: () => [server.pid, ...(cluster ? [cluster.pid] : [])],
    kill: () => server.kill(),
    async again(nodeArgs) {
      server = await start(nodeArgs);
    },
    /** Ends the server in order, while its database goes on. */
    end: () => server.stop(),
    async stop() {
      await server.stop();
      await cluster?.stop();
    },
  };
}

/** A name for the tables of this version. */
async function tablesKey() {
  const names = await readdir(join(ROOT, 'migrations'), { recursive: true });
  return createHash('sha256').update(names.sort().join()).digest('hex').slice(0, 16);
}

/** Upgrades a kept site that another version has filled, by a start, so that its copies need not be upgraded each time. */
async function upgrade(home, engine) {
  const [mark, tables] = [join(home, 'tables.txt'), await tablesKey()];
  if (existsSync(mark) && (await readFile(mark, 'utf8')) === tables) return;
  await (await startIn(home, engine, {})).stop();
  await writeFile(mark, tables);
}

/** Puts Varnish before a site, which tells it of changes. */
async function behindVarnish(server) {
  const varnish = await startVarnish(server.url);
  const client = await clientFor(server);
  await client.send('PATCH', '/@controlpanels/caching', {
    ...{ enabled: true, tag_header: 'Surrogate-Key', terse_smaxage: 86_400 },
    ...{ purge_method: 'xkey', caching_proxies: [varnish.url] },
  });
  return {
    ...server,
    visitorsUrl: varnish.url,
    allowedMs: { usual: PURGE_MS, afterKill: PURGE_AFTER_KILL_MS },
    pids: () => [...server.pids(), varnish.pid],
    async stop() {
      await varnish.stop();
      await server.stop();
    },
  };
}

/** Starts the built server with the content of the day on one engine: on a copy of a site that is made the first time. */
export async function startCanopy({ cache, documents, progress, engine, env = {}, varnish = false }) {
  const folder = join(cache, `canopy-${engine}-${documents}`);
  const home = await once(folder, `1 ${contentKey(documents)}`, async () => {
    const server = await startIn(folder, engine, {});
    try {
      await fillSite(await clientFor(server), { documents, progress });
    } finally {
      await server.stop();
    }
  });
  await upgrade(home, engine);
  const settings = varnish ? { ...env, WEBHOOK_PRIVATE_ADDRESSES: '1' } : env;
  const server = await startIn(await copyOf(home), engine, settings);
  return varnish ? behindVarnish(server).catch((error) => server.stop().then(() => Promise.reject(error))) : server;
}
