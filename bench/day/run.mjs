import { loadavg } from 'node:os';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';
import { measureDay } from './day.mjs';
import { makeDaySite } from './site.mjs';

/** Types of Canopy's default profile as other systems call them. */
const TYPES_OF_PEERS = { plone: { Page: 'Document' } };

/** A site of this program on one engine, which can be killed and started again at its address. */
async function ownSite(engine, { keepsNothing }) {
  const databaseUrl =
    engine === 'postgresql' ? await (await postgresServer({ durable: true })).createDatabase() : undefined;
  const setting = {
    dataDir: await temporaryDataDir(),
    databaseUrl,
    port: await freePort(),
    env: keepsNothing ? { ROW_CACHE_MB: '0', RESPONSE_CACHE_MB: '0' } : {},
  };
  const start = async () => {
    const server = await startServer(setting);
    return { ...server, again: start };
  };
  const server = await start();
  return { name: engine, url: server.url, server };
}

/** Sites of other systems that run already, from `name=url` or `name=url,login,password`. */
function peer(text) {
  const [name, rest = ''] = text.split(/=(.*)/s);
  const [url, login = 'admin', password = 'admin'] = rest.split(',');
  if (!URL.canParse(url)) throw new Error(`--peer takes name=url, unlike ${text}`);
  return { name, url: url.replace(/\/$/, ''), login: { login, password }, types: TYPES_OF_PEERS[name] };
}

/** Measures a day at each site, one after the other. Returns the figures by name. */
export async function benchDay({ engines, peers, documents, seconds, keepsNothing }) {
  const results = [];
  const targets = [
    ...engines.map((engine) => () => ownSite(engine, { keepsNothing })),
    ...peers.map((text) => () => peer(text)),
  ];
  for (const makeTarget of targets) {
    const target = await makeTarget();
    const started = performance.now();
    const site = await makeDaySite(target, { documents });
    console.log(
      `\n${target.name}: ${site.pages.length} pages in ${((performance.now() - started) / 1000).toFixed(0)} s, load ${loadavg()[0].toFixed(1)}`,
    );
    const figures = await measureDay(site, {
      server: target.server,
      seconds,
      report: ({ rate, p99, failures }) =>
        console.log(`  ${Math.round(rate)} a second: p99 ${p99.toFixed(0)} ms ${JSON.stringify(failures)}`),
    });
    console.log(
      JSON.stringify({
        name: target.name,
        ...figures,
        stale: figures.stale.slice(0, 5),
        staleTotal: figures.stale.length,
      }),
    );
    results.push({ name: target.name, ...figures });
    await target.server?.stop();
  }
  return results;
}
