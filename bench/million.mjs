// Measures a site of one million documents on PostgreSQL beside one of a thousand: node bench/million.mjs --help
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../scripts/lib/build.mjs';
import { runMain } from '../scripts/lib/cleanup.mjs';
import { connect } from '../scripts/lib/client.mjs';
import { postgresServer } from '../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../scripts/lib/server.mjs';
import { queryAt, seedLargeSite } from './large-site.mjs';
import { measureByTurns } from './measure-by-turns.mjs';
import { measureMove, measureReindex, peakOf } from './while-in-use.mjs';

const USAGE = `Usage: node bench/million.mjs [options]
  --documents N      documents of the large site (default 1000000, which takes about 8 GB and half an hour to write)
  --children N       how many of them lie in one folder (default a tenth)
  --databases A,B    addresses of two databases of PostgreSQL for the small and the large site, which stay: empty ones are filled
  --rounds N         rounds by turns (default 5)
  --only LIST        some of: reads, move, reindex
Prints milliseconds of requests at a site of 1000 documents and at the large one by turns, without the cache of responses, how long a tenth
of the site takes to move and what readers notice of it, and what writers notice of a reindex that is killed and goes on.
Meant to be reached: 1.5 times, 10 s to move 100,000, 250 MB of memory.`;

const { values: options } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    children: { type: 'string' },
    databases: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'reads,move,reindex' },
    help: { type: 'boolean', default: false },
  },
});

/** Documents of the small site, and children of its folder. */
const FEW = { documents: 1000, children: 50 };
const MAX_RATIO = 1.5;
const MAX_RSS = 250;

/** Requests that are measured, each with another number every time. `late` is the start of a late batch, 90 % of all: 45 of 50 children. */
const READS = {
  page: (n, { pages }) => pages[(n * 37) % pages.length],
  'page with components': (n, { pages }) =>
    `${pages[(n * 37) % pages.length]}?expand=breadcrumbs,navigation,actions,types,workflow`,
  '@navigation, depth 2': (n) => `/section-${1 + (n % 10)}/@navigation?expand.navigation.depth=2`,
  '@search, selective word': (n) => `/@search?SearchableText=needle${1 + (n % 40)}`,
  '@search, word and beginning of a word': (n) => `/@search?SearchableText=needle${1 + (n % 40)}%20pag*`,
  '@search, part and type by effective': (n) =>
    `/@search?path=/section-${1 + (n % 10)}/folder-1/part-1&portal_type=Page&sort_on=effective&sort_order=descending`,
  'large folder': () => '/many?b_size=25',
  'large folder, late batch': (n, { late }) => `/many?b_size=25&b_start=${late - (n % 20)}`,
  'large folder by position, @search': () => '/@search?path.query=/many&path.depth=1&sort_on=getObjPositionInParent',
  'the same, late batch': (n, { late }) =>
    `/@search?path.query=/many&path.depth=1&sort_on=getObjPositionInParent&b_start=${late - (n % 20)}`,
  'large folder by title, @search': () => '/@search?path.query=/many&path.depth=1&sort_on=sortable_title',
  'the same by title, late batch': (n, { late }) =>
    `/@search?path.query=/many&path.depth=1&sort_on=sortable_title&b_start=${late - (n % 20)}`,
  'large folder by modified, @search': () =>
    '/@search?path.query=/many&path.depth=1&sort_on=modified&sort_order=descending',
};

async function openSite(server, given, { documents, children }) {
  const databaseUrl = given ?? (await server.createDatabase());
  const started = performance.now();
  const progress = (text) => console.log(`  ${((performance.now() - started) / 1000).toFixed(0)} s: ${text}`);
  const [{ empty }] = await queryAt(databaseUrl, `select to_regclass('content') is null as empty`);
  if (empty) await seedLargeSite(databaseUrl, { documents, children, progress });
  const [found] = await queryAt(
    databaseUrl,
    `select (select count(*)::int from content) as documents, (select count(*)::int from content where parent = (select oid from content where path = '/many')) as children,
      (select array_agg(path) from (select path from content where path ~ '/folder-[1-7]/part-1/page-' and review_state = 'published' order by oid limit 5000) c) as pages`,
  );
  console.log(`${found.documents} documents, ${found.children} of them in one folder`);
  return { databaseUrl, dataDir: await temporaryDataDir(), ...found, late: Math.floor(found.children * 0.9) };
}

async function serve(site, env = {}) {
  const server = await startServer({ dataDir: site.dataDir, databaseUrl: site.databaseUrl, env, timeout: 300_000 });
  const reader = await connect(server.url, { login: 'reader', password: 'reader-password' });
  return { ...site, server, url: server.url, client: await connect(server.url), reader };
}

const cells = (label, values) => console.log(label.padEnd(52) + values.map((value) => value.padStart(22)).join(''));
const shown = ({ p50, fastest }) => `${p50.toFixed(1)} (${fastest.toFixed(1)})`;

async function reportReads(sites) {
  const served = [];
  for (const site of sites) served.push(await serve(site, { RESPONSE_CACHE_MB: '0', ROW_CACHE_MB: '0' }));
  cells('\nmilliseconds, median (fastest tenth)', [...sites.map(({ documents }) => String(documents)), 'times']);
  const requests = Object.fromEntries(
    Object.entries(READS).map(([name, path]) => [name, (site, n) => site.reader.send('GET', path(n, site))]),
  );
  requests['new child of the large folder'] = (site, n) =>
    site.client.send('POST', '/many', { '@type': 'Page', title: `New ${n} ${Date.now()}` });
  requests['changed page'] = (site, n) =>
    site.client.send('PATCH', site.pages[(n * 37) % site.pages.length], { description: `Changed ${n}` });
  let missed = 0;
  for (const [name, send] of Object.entries(requests)) {
    const [small, large] = await measureByTurns(served, send, Number(options.rounds));
    const ratio = Math.min(large.p50 / small.p50, large.fastest / small.fastest);
    if (ratio > MAX_RATIO) missed += 1;
    cells(name, [
      shown(small),
      shown(large),
      `${(large.p50 / small.p50).toFixed(2)} (${(large.fastest / small.fastest).toFixed(2)})`,
    ]);
  }
  console.log(`Memory of the processes at most: ${served.map(({ server }) => `${peakOf(server.pid)} MB`).join(', ')}`);
  for (const { server } of served) await server.stop();
  return missed;
}

await runMain(async () => {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  buildIfStale();
  const given = options.databases?.split(',') ?? [];
  const server = given.length === 2 ? undefined : await postgresServer({ durable: true });
  const documents = Number(options.documents);
  const children = Number(options.children ?? documents / 10);
  const small = await openSite(server, given[0], FEW);
  const large = await openSite(server, given[1], { documents, children });
  const wanted = options.only.split(',');
  let missed = wanted.includes('reads') ? await reportReads([small, large]) : 0;
  const peaks = [];
  if (wanted.includes('move')) {
    const site = await serve(large);
    if (!(await measureMove(site))) missed += 1;
    peaks.push(peakOf(site.server.pid));
    await site.server.stop();
  }
  if (wanted.includes('reindex')) peaks.push(...(await measureReindex(() => serve(large))));
  for (const peak of peaks) if (peak > MAX_RSS) missed += 1;
  const memory = peaks.length > 0 ? `Memory of the processes of the large site at most: ${peaks.join(', ')} MB. ` : '';
  console.log(
    `${memory}${missed} goals missed. Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)} at the end.`,
  );
  return missed > 0 ? 1 : 0;
});
