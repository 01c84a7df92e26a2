// Measures searches on a small and a large site on PostgreSQL: node bench/search.mjs --help
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { buildIfStale } from '../scripts/lib/build.mjs';
import { runMain } from '../scripts/lib/cleanup.mjs';
import { connect } from '../scripts/lib/client.mjs';
import { postgresServer } from '../scripts/lib/postgres.mjs';
import { ROOT } from '../scripts/lib/root.mjs';
import { startServer } from '../scripts/lib/server.mjs';
import { median } from './load.mjs';
import { makeReaderSite, reindexSite } from './reader-site.mjs';

const USAGE = `Usage: node bench/search.mjs [options]
  --documents 1000,100000   sizes of the sites (default)
  --requests N              requests of each kind, one after the other (default 60)
Prints the median and the 95 % latency in milliseconds, and how often slower the largest site is than the smallest.
Meant to be reached on an idle machine: 20 ms and 1.5 times.`;

const { values: options } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000,100000' },
    requests: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});

/** The number of requests of each kind before the measurement. */
const WARM_UP = 10;

const dayBefore = (days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** The queries, with a new number in each request, so that the database does not read the same rows each time. */
const REQUESTS = {
  'search, selective term': (n) => `/@search?SearchableText=needle${1 + (n % 40)}`,
  'search, term and beginning of a word': (n) => `/@search?SearchableText=needle${1 + (n % 40)}%20pag*`,
  'folder and type by effective': (n) =>
    `/@search?path=/section-1/folder-${1 + (n % 10)}/part-1&portal_type=Page&sort_on=effective&sort_order=descending`,
  'navigation, depth 2': () => '/section-1/folder-1/@navigation?expand.navigation.depth=2',
  'page with components': (n) =>
    `/section-1/folder-1/part-1/page-${2 + 2 * (n % 4)}?expand=breadcrumbs,navigation,actions,types,workflow`,
  // The results of these queries grow with the site, so that they are measured without a target.
  'whole site and type by effective (informative)': () =>
    '/@search?portal_type=Page&sort_on=effective&sort_order=descending',
  'section and type by effective (informative)': () =>
    '/@search?path=/section-1&portal_type=Page&sort_on=effective&sort_order=descending',
  'whole site by modified (informative)': () => '/@search?sort_on=modified&sort_order=descending',
  'the same, late batch (informative)': (n, documents) =>
    `/@search?sort_on=modified&sort_order=descending&b_start=${Math.floor(documents * 0.9) + n}`,
  'whole site by title (informative)': () => '/@search?sort_on=sortable_title',
  'the same, batch in the middle (informative)': (n, documents) =>
    `/@search?sort_on=sortable_title&b_start=${Math.floor(documents * 0.4) + n}`,
  'section by title (informative)': () => '/@search?path=/section-1&sort_on=sortable_title',
  'section by modified (informative)': () => '/@search?path=/section-1&sort_on=modified&sort_order=descending',
  'section by modified, late batch (informative)': (n, documents) =>
    `/@search?path=/section-1&sort_on=modified&b_start=${Math.floor(documents * 0.09) + n}`,
  'common word (informative)': (n) => `/@search?SearchableText=page&b_start=${n}`,
  'common word, late batch (informative)': (n, documents) =>
    `/@search?SearchableText=page&b_start=${Math.floor(documents * 0.9) + n}`,
  'wildcard of a common word (informative)': (n) => `/@search?SearchableText=pag*&b_start=${n}`,
  'tag (informative)': (n) => `/@search?Subject=tag-${n % 50}`,
  'state (informative)': (n) => `/@search?review_state=published&b_start=${n}`,
  'week of change by date (informative)': (n) =>
    `/@search?modified.query=${dayBefore(9 + (n % 5))}&modified.query=${dayBefore(2)}&modified.range=min:max&sort_on=modified`,
  'navigation, depth 3 (informative)': () => '/section-1/folder-1/@navigation?expand.navigation.depth=3',
};

async function script(databaseUrl, text) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

async function timed(label, work) {
  const started = performance.now();
  const result = await work();
  const seconds = (performance.now() - started) / 1000;
  console.log(`  ${label} in ${seconds.toFixed(1)} s`);
  return result;
}

/** A site with this number of documents, and the headers of a user with only the role Member. */
async function prepare(server, documents) {
  const databaseUrl = await server.createDatabase();
  const dataDir = await makeReaderSite(databaseUrl);
  console.log(`${documents} documents`);
  const seed = readFileSync(join(ROOT, 'bench/seed.sql'), 'utf8');
  await timed('written', () => script(databaseUrl, `set seed.documents = ${documents};\n${seed}`));
  await timed('indexed', async () => reindexSite(databaseUrl, dataDir));
  await script(databaseUrl, 'vacuum analyze');
  // Without a response cache, so that every response comes from the database.
  const { url } = await startServer({ dataDir, databaseUrl, env: { RESPONSE_CACHE_MB: '0', ROW_CACHE_MB: '0' } });
  const reader = await connect(url, { login: 'reader', password: 'reader-password' });
  return {
    documents,
    databaseUrl,
    url,
    callers: { Anonymous: {}, 'few rights': { Authorization: `Bearer ${reader.token}` } },
  };
}

async function measure({ url, documents }, headers, path) {
  const times = [];
  for (let n = 0; n < WARM_UP + Number(options.requests); n += 1) {
    const started = performance.now();
    const response = await fetch(url + path(n, documents), { headers: { Accept: 'application/json', ...headers } });
    await response.arrayBuffer();
    if (!response.ok) return { status: response.status };
    if (n >= WARM_UP) times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return { p50: median(times), p95: times[Math.floor(times.length * 0.95)] };
}

/** Renames a folder with up to 10,000 documents below it, whose addresses and indexes change with it. */
async function measureRename({ url, databaseUrl, documents }) {
  const client = await connect(url);
  await client.send('POST', '/', { '@type': 'Folder', id: 'movable', title: 'Movable' });
  await script(databaseUrl, RENAMED);
  const { body } = await client.send('GET', '/@search?path=/movable&b_size=0');
  const started = performance.now();
  await client.send('PATCH', '/movable', { id: 'moved' });
  const milliseconds = Math.round(performance.now() - started);
  const after = (await client.send('GET', '/@search?path=/moved&b_size=0')).body;
  if (after.items_total !== body.items_total) throw new Error('The rename lost documents.');
  console.log(`${documents} documents: rename of a folder with ${body.items_total - 1} below it in ${milliseconds} ms`);
}

/** Adds documents below the folder that is renamed, with the same words as other documents. */
const RENAMED = `
  insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, local_roles, fields)
    select md5('movable-' || c.oid), f.oid, c.name, '/movable/' || c.name, c.position, c.type, c.review_state, c.owner, c.language, c.created,
      c.modified, c.effective, c.local_roles, c.fields
    from content f, (select * from content where name like 'page-%' order by oid limit 10000) c where f.path = '/movable';
  insert into catalog (oid, allowed, searchable, exclude_from_nav, sortable_title, subjects, block_types)
    select m.oid, k.allowed, k.searchable, k.exclude_from_nav, k.sortable_title, k.subjects, k.block_types
    from content m join content c on m.uid = md5('movable-' || c.oid) join catalog k on k.oid = c.oid where m.path like '/movable/%';`;

await runMain(async () => {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  buildIfStale();
  const server = await postgresServer({ durable: true });
  const sites = [];
  for (const documents of options.documents.split(',')) sites.push(await prepare(server, Number(documents)));
  const cells = (label, values) => console.log(label.padEnd(62) + values.map((value) => value.padStart(20)).join(''));
  cells('\nmilliseconds (median / 95 %)', [...sites.map(({ documents }) => String(documents)), 'slower']);
  for (const caller of Object.keys(sites[0].callers)) {
    for (const [name, path] of Object.entries(REQUESTS)) {
      const figures = [];
      for (const site of sites) figures.push(await measure(site, site.callers[caller], path));
      const refused = figures.some(({ status }) => status !== undefined);
      const ratio = refused ? 'FAILED' : `${(figures.at(-1).p50 / figures[0].p50).toFixed(2)} x`;
      const texts = figures.map(({ status, p50, p95 }) =>
        status ? String(status) : `${p50.toFixed(1)} / ${p95.toFixed(1)}`,
      );
      cells(`${caller}: ${name}`, [...texts, ratio]);
    }
  }
  console.log('');
  for (const site of sites) await measureRename(site);
  return 0;
});
