import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../scripts/lib/client.mjs';
import { postgresServer } from '../scripts/lib/postgres.mjs';
import { ROOT } from '../scripts/lib/root.mjs';
import { startServer } from '../scripts/lib/server.mjs';
import { queryAt } from './large-site.mjs';
import { median } from './load.mjs';
import { makeReaderSite, reindexSite } from './reader-site.mjs';

/** The number of requests of each kind before the measurement. */
const WARM_UP = 10;

const dayBefore = (days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/**
 * The requests, with a new number in each, so that the database does not read the same rows each time. `goal` is how many milliseconds
 * one is meant to take on an idle machine with 100,000 documents; what has none is meant to take 1.5 times as long as on a small site at
 * most where its results do not grow with the site.
 */
const REQUESTS = [
  { name: 'a rare word', path: (n) => `/@search?SearchableText=needle${1 + (n % 40)}` },
  { name: 'a rare word and `pag*`', path: (n) => `/@search?SearchableText=needle${1 + (n % 40)}%20pag*` },
  {
    name: 'a part and a type by `effective`',
    path: (n) =>
      `/@search?path=/section-1/folder-${1 + (n % 10)}/part-1&portal_type=Page&sort_on=effective&sort_order=descending`,
  },
  { name: 'navigation, depth 2', path: () => '/section-1/folder-1/@navigation?expand.navigation.depth=2' },
  {
    name: 'page with components',
    path: (n) =>
      `/section-1/folder-1/part-1/page-${2 + 2 * (n % 4)}?expand=breadcrumbs,navigation,actions,types,workflow`,
  },
  { name: 'a word on nearly every page', path: (n) => `/@search?SearchableText=page&b_start=${n}`, goal: 40 },
  {
    name: 'the same, nine tenths in',
    path: (n, documents) => `/@search?SearchableText=page&b_start=${Math.floor(documents * 0.44) + n}`,
    goal: 40,
  },
  {
    name: 'the same in a section',
    path: (n) => `/@search?SearchableText=page&path=/section-${1 + (n % 10)}&b_start=${n}`,
    goal: 40,
  },
  { name: '`pag*`', path: (n) => `/@search?SearchableText=pag*&b_start=${n}`, goal: 40 },
  {
    name: 'the whole site by `modified`',
    path: (n) => `/@search?sort_on=modified&sort_order=descending&b_start=${n}`,
    goal: 10,
  },
  {
    name: 'the same, nine tenths in',
    path: (n, documents) =>
      `/@search?sort_on=modified&sort_order=descending&b_start=${Math.floor(documents * 0.46) + n}`,
    goal: 10,
  },
  { name: 'the whole site by title', path: (n) => `/@search?sort_on=sortable_title&b_start=${n}`, goal: 10 },
  {
    name: 'the same, in the middle',
    path: (n, documents) => `/@search?sort_on=sortable_title&b_start=${Math.floor(documents * 0.25) + n}`,
    goal: 10,
  },
  {
    name: 'a type by `effective`',
    path: (n) => `/@search?portal_type=Page&sort_on=effective&sort_order=descending&b_start=${n}`,
    goal: 10,
  },
  {
    name: 'a section and a type by `effective`',
    path: (n) => `/@search?path=/section-1&portal_type=Page&sort_on=effective&sort_order=descending&b_start=${n}`,
    goal: 5,
  },
  { name: 'a section by title', path: (n) => `/@search?path=/section-1&sort_on=sortable_title&b_start=${n}`, goal: 5 },
  {
    name: 'a section by `modified`',
    path: (n) => `/@search?path=/section-1&sort_on=modified&sort_order=descending&b_start=${n}`,
    goal: 5,
  },
  {
    name: 'the same, nine tenths in',
    path: (n, documents) => `/@search?path=/section-1&sort_on=modified&b_start=${Math.floor(documents * 0.047) + n}`,
    goal: 5,
  },
  { name: 'a tag', path: (n) => `/@search?Subject=tag-${n % 50}` },
  { name: 'a state', path: (n) => `/@search?review_state=published&b_start=${n}` },
  {
    name: 'a week of changes by date',
    path: (n) =>
      `/@search?modified.query=${dayBefore(9 + (n % 5))}&modified.query=${dayBefore(2)}&modified.range=min:max&sort_on=modified`,
  },
  {
    name: 'facets of a rare word',
    path: (n) => `/@search?SearchableText=needle${1 + (n % 40)}&facet_fields=portal_type`,
  },
  {
    name: 'facets of a word on nearly every page',
    path: (n) => `/@search?SearchableText=page&b_size=${1 + (n % 50)}&facet_fields=portal_type`,
    goal: 40,
  },
  {
    name: 'navigation of 2,000 nodes',
    path: (n) => `/section-${1 + (n % 10)}/folder-1/@navigation?expand.navigation.depth=3`,
    goal: 5,
  },
];

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
  await timed('written', () => queryAt(databaseUrl, `set seed.documents = ${documents};\n${seed}`));
  await timed('indexed', async () => reindexSite(databaseUrl, dataDir));
  await queryAt(databaseUrl, 'vacuum analyze');
  // Without a response cache, so that every response comes from the database.
  const { url } = await startServer({ dataDir, databaseUrl, env: { RESPONSE_CACHE_MB: '0', ROW_CACHE_MB: '0' } });
  const reader = await connect(url, { login: 'reader', password: 'reader-password' });
  return {
    documents,
    databaseUrl,
    url,
    callers: { visitors: {}, 'few rights': { Authorization: `Bearer ${reader.token}` } },
  };
}

/** Sends the requests of a kind one after the other; returns the median in milliseconds. Throws for an error. */
async function measure({ url, documents }, headers, path, requests) {
  const times = [];
  for (let n = 0; n < WARM_UP + requests; n += 1) {
    const started = performance.now();
    const response = await fetch(url + path(n, documents), { headers: { Accept: 'application/json', ...headers } });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path(n, documents)} returned ${response.status}: ${text.slice(0, 300)}`);
    if (n >= WARM_UP) times.push(performance.now() - started);
  }
  return median(times);
}

/** Renames a folder with up to 10,000 documents below it, whose addresses and indexes change with it; milliseconds. */
async function measureRename({ url, databaseUrl }) {
  const client = await connect(url);
  await client.send('POST', '/', { '@type': 'Folder', id: 'movable', title: 'Movable' });
  await queryAt(databaseUrl, RENAMED);
  const { body } = await client.send('GET', '/@search?path=/movable&b_size=0');
  const started = performance.now();
  await client.send('PATCH', '/movable', { id: 'moved' });
  const milliseconds = Math.round(performance.now() - started);
  const after = (await client.send('GET', '/@search?path=/moved&b_size=0')).body;
  if (after.items_total !== body.items_total) throw new Error('The rename lost documents.');
  return { below: body.items_total - 1, milliseconds };
}

/** Adds documents below the folder that is renamed, with the same words as other documents. */
const RENAMED = `
  insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, local_roles, fields, blocks,
      blocks_layout)
    select md5('movable-' || c.oid), f.oid, c.name, '/movable/' || c.name, c.position, c.type, c.review_state, c.owner, c.language, c.created,
      c.modified, c.effective, c.local_roles, c.fields, c.blocks, c.blocks_layout
    from content f, (select * from content where name like 'page-%' order by oid limit 10000) c where f.path = '/movable';
  insert into catalog (oid, allowed, searchable, exclude_from_nav, sortable_title, subjects, block_types)
    select m.oid, k.allowed, k.searchable, k.exclude_from_nav, k.sortable_title, k.subjects, k.block_types
    from content m join content c on m.uid = md5('movable-' || c.oid) join catalog k on k.oid = c.oid where m.path like '/movable/%';`;

/**
 * Measures searches on PostgreSQL on sites of some sizes, one request at a time, with neither responses nor rows kept. Calls `report`
 * with each result as it comes: its name, its `goal`, and the figures for each caller and site.
 */
export async function measureSearches({ sizes, requests }, report) {
  const server = await postgresServer({ durable: true });
  const sites = [];
  for (const documents of sizes) sites.push(await prepare(server, documents));
  const results = [];
  for (const { name, path, goal } of REQUESTS) {
    const figures = {};
    for (const caller of Object.keys(sites[0].callers)) {
      figures[caller] = [];
      for (const site of sites) figures[caller].push(await measure(site, site.callers[caller], path, requests));
    }
    results.push({ name, goal, figures });
    report(results.at(-1));
  }
  const renames = [];
  for (const site of sites) renames.push(await measureRename(site));
  return { results, renames };
}
