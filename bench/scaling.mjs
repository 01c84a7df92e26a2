// Measures the space of an object and the cost of a request on PostgreSQL, for docs/scaling.md: node bench/scaling.mjs --help
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../scripts/lib/build.mjs';
import { runMain } from '../scripts/lib/cleanup.mjs';
import { connect } from '../scripts/lib/client.mjs';
import { ROOT } from '../scripts/lib/root.mjs';
import { startServer, temporaryDataDir } from '../scripts/lib/server.mjs';
import { addressOf, queryAt, startPostgresCluster } from '../test/cluster/postgres-cluster.mjs';
import { reindexSite } from './reader-site.mjs';
import { KINDS, statementsOfSource } from './statement-kinds.mjs';

const USAGE = `Usage: node bench/scaling.mjs [options]
  --documents N   pages of the site that is measured (default 20000)
  --requests N    requests of each kind (default 200)
  --statements    only lists what each statement of the source needs of the engine
Prints bytes of each table and index per object, and statements and CPU time per request.`;

const { values: options } = parseArgs({
  options: {
    documents: { type: 'string', default: '20000' },
    requests: { type: 'string', default: '200' },
    statements: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Ticks of the clock a second, in which Linux counts CPU time. */
const TICKS = 100;

/** Seconds of CPU time of a process, and of those that it has waited for. */
function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
  } catch {
    // It has ended, and its parent counts it.
    return 0;
  }
}

/** Seconds of CPU time of a process and all its children. */
function cpuOfTree(pid) {
  const children = readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      return readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ')[1].split(' ')[1] === String(pid);
    } catch {
      return false;
    }
  });
  return [pid, ...children].reduce((sum, each) => sum + cpuOf(each), 0);
}

const table = (rows) => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Bytes per object of the tables that grow with content, and of their indexes. */
async function printSizes(url) {
  const [{ objects }] = await queryAt(url, 'select count(*)::int as objects from content');
  const rows = await queryAt(
    url,
    `select c.relname as name, 'table' as kind, pg_table_size(c.oid)::float8 as bytes from pg_class c
      where relkind = 'r' and relnamespace = 'public'::regnamespace
      union all select x.relname, 'index of ' || t.relname, pg_relation_size(x.oid)::float8
      from pg_index i join pg_class x on x.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
      where t.relnamespace = 'public'::regnamespace order by bytes desc`,
  );
  const shown = rows.filter(({ bytes }) => bytes / objects >= 8);
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`\n${objects} objects, ${Math.round(total / objects)} bytes for each\n`);
  console.log(
    table([
      ['What', 'Kind', 'Bytes per object'],
      ['---', '---', '---:'],
    ]),
  );
  console.log(table(shown.map(({ name, kind, bytes }) => [`\`${name}\``, kind, Math.round(bytes / objects)])));
}

/** Statements of requests and the CPU time of the server of the database and of the process, for each kind of request. */
async function printCosts(cluster, url, server) {
  const client = await connect(server.url);
  const postmaster = Number(readFileSync(join(cluster.primary.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const made = [];
  const kinds = {
    'page, visitor': {
      anonymous: true,
      path: (n) => `/section-1/folder-${1 + (n % 10)}/part-1/page-${2 + 2 * (n % 4)}?z=${n}`,
    },
    'folder of 48, first page of one': { path: (n) => `/section-1/folder-${1 + (n % 10)}/part-1?b_size=1&z=${n}` },
    'folder of 48': { path: (n) => `/section-1/folder-${1 + (n % 10)}/part-1?b_size=50&z=${n}` },
    'search, rare word': { path: (n) => `/@search?SearchableText=needle${1 + (n % 40)}` },
    navigation: { path: (n) => `/section-1/@navigation?expand.navigation.depth=2&z=${n}` },
    'new page': {
      method: 'POST',
      path: () => '/section-1/folder-1/part-1',
      body: (n) => ({ '@type': 'Page', title: `New ${n}` }),
    },
    'changed page': {
      method: 'PATCH',
      path: (n) => made[n % made.length],
      body: (n) => ({ description: `Changed ${n}` }),
    },
  };
  console.log(
    `\n${table([
      ['Request', 'Statements', 'ms CPU of PostgreSQL', 'ms CPU of the process', 'bytes of WAL'],
      ['---', '---:', '---:', '---:', '---:'],
    ])}`,
  );
  for (const [name, { method = 'GET', path, body, anonymous }] of Object.entries(kinds)) {
    const send = async (n) => {
      if (anonymous) {
        await (await fetch(server.url + path(n), { headers: { Accept: 'application/json' } })).arrayBuffer();
        return;
      }
      const answer = await client.send(method, path(n), body?.(n));
      if (method === 'POST') made.push(new URL(answer.body['@id']).pathname);
    };
    for (let n = 0; n < 30; n += 1) await send(n);
    await queryAt(url, 'select pg_stat_statements_reset()');
    const look = async () => {
      const [{ lsn }] = await queryAt(url, `select (pg_current_wal_insert_lsn() - '0/0')::float8 as lsn`);
      return { database: cpuOfTree(postmaster), process: cpuOf(server.pid), lsn };
    };
    const before = await look();
    const requests = Number(options.requests);
    for (let n = 0; n < requests; n += 1) await send(1000 + n);
    const after = await look();
    const [{ calls }] = await queryAt(
      url,
      `select sum(calls)::float8 as calls from pg_stat_statements where query not ilike '%pg_stat_statements%' and query not ilike '%pg_current_wal_insert_lsn%float8%'`,
    );
    const each = (of) => ((1000 * (after[of] - before[of])) / requests).toFixed(2);
    console.log(
      table([
        [
          name,
          (calls / requests).toFixed(1),
          each('database'),
          each('process'),
          Math.round((after.lsn - before.lsn) / requests),
        ],
      ]),
    );
  }
}

function printStatements() {
  const found = statementsOfSource();
  console.log(`\n${found.length} texts of SQL in the source\n`);
  console.log(
    table([
      ['Needs', 'Texts', 'Files'],
      ['---', '---:', '---'],
    ]),
  );
  for (const kind of Object.keys(KINDS)) {
    const with_ = found.filter(({ kinds }) => kinds.includes(kind));
    const files = [...new Set(with_.map(({ file }) => file.replace(/^src\//, '')))];
    console.log(table([[kind, with_.length, files.map((file) => `\`${file}\``).join(', ')]]));
  }
  console.log(table([['nothing of that', found.filter(({ kinds }) => kinds.length === 0).length, '']]));
  printTables();
}

/** Prints what the schema needs of the engine beside columns and primary keys; the program makes further triggers at its start. */
function printTables() {
  const schema = readFileSync(join(ROOT, 'migrations/schema.sql'), 'utf8');
  const triggers = [...schema.matchAll(/^CREATE TRIGGER .* ON (?:public\.)?(\w+) FOR /gm)].map(([, name]) => name);
  const count = (pattern) => [...schema.matchAll(pattern)].length;
  console.log(
    `\nTables bring more: ${triggers.length} triggers on ${new Set(triggers).size} tables, ${count(/ FOREIGN KEY /g)} foreign keys, and ` +
      `${count(/^constraint .* UNIQUE |^CREATE UNIQUE INDEX/gm)} unique constraints and indexes beside primary keys.`,
  );
}

async function printFigures() {
  buildIfStale();
  const cluster = await startPostgresCluster({
    standbys: 0,
    isSynchronous: false,
    settings: ['shared_preload_libraries=pg_stat_statements', 'shared_buffers=512MB'],
  });
  await cluster.createDatabase('site');
  const url = addressOf('site', cluster.primary);
  await queryAt(url, 'create extension pg_stat_statements');
  const dataDir = await temporaryDataDir();
  const first = await startServer({ dataDir, databaseUrl: url, timeout: 240_000 });
  await first.stop();
  const seed = readFileSync(join(ROOT, 'bench/seed.sql'), 'utf8');
  await queryAt(url, `set seed.documents = ${Number(options.documents)};\n${seed}`, undefined);
  reindexSite(url, dataDir);
  await queryAt(url, 'vacuum full');
  await queryAt(url, 'analyze');
  await printSizes(url);
  const server = await startServer({
    dataDir,
    databaseUrl: url,
    env: { RESPONSE_CACHE_MB: '0', ROW_CACHE_MB: '0' },
    timeout: 240_000,
  });
  await printCosts(cluster, url, server);
}

await runMain(async () => {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  if (!options.statements) await printFigures();
  printStatements();
  return 0;
});
