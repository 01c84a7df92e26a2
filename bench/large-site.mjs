import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ROOT } from '../scripts/lib/root.mjs';
import { makeReaderSite, reindexSite } from './reader-site.mjs';

/** Documents that the program indexes itself; all pages beyond are like one of them. */
const INDEXED = 39_310;
const PAGES_OF_PART = 48;
/** Folders of seed.sql, and parts of each with that many documents. */
const FOLDERS = 100;
const PARTS = 8;
/** Parts of each folder that are added in one transaction. */
const PARTS_AT_ONCE = 5;
/** Children of the large folder that the program indexes itself. */
const FEW_CHILDREN = 50;
/** Paragraphs of each page, of 45 words. */
const PARAGRAPHS = 2;

const sqlOf = (name) => readFileSync(join(ROOT, 'bench', name), 'utf8');

/** Runs SQL at a database as one connection after the other; returns rows. */
export async function queryAt(databaseUrl, text, values) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(text, values)).rows ?? [];
  } finally {
    await client.end();
  }
}

/** Takes indexes of words from the catalog while `work` is done, as they are built at once in a tenth of the time. */
async function withoutWordIndexes(databaseUrl, work) {
  const indexes = await queryAt(
    databaseUrl,
    `select indexname, indexdef from pg_indexes where schemaname = 'public' and tablename = 'catalog' and indexdef like '%USING gin%'`,
  );
  for (const { indexname } of indexes) await queryAt(databaseUrl, `drop index ${indexname}`);
  await work();
  for (const { indexdef } of indexes) await queryAt(databaseUrl, `set maintenance_work_mem = '512MB';\n${indexdef}`);
}

/** Returns the catalog rows of a sample of pages, among them pages whose rows the program has not made, if the site has any. */
const sampleOf = (databaseUrl) =>
  queryAt(
    databaseUrl,
    `select c.oid::int, c.path, to_jsonb(k) as catalog, (select jsonb_agg(v order by v.name) from catalog_value v where v.oid = c.oid) as values
      from content c join catalog k on k.oid = c.oid where c.oid % 9973 = 1 or c.path ~ '/part-(9|17)$' order by c.oid`,
  );

/** Indexes a sample by the program, and compares what it writes with what was there. Throws for a difference. */
async function checkCatalog(databaseUrl, dataDir) {
  const [{ openSite }, { reindexIn }, { createLog }, { parseConfig }] = await Promise.all(
    ['app/open-site', 'core/content/reindex-site', 'lib/process/process', 'core/configuration/environment/config'].map(
      (name) => import(`../dist/src/${name}.js`),
    ),
  );
  const before = await sampleOf(databaseUrl);
  const site = await openSite(parseConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }), createLog('error'), {
    create: true,
  });
  try {
    await site.kernel.db.transaction((tx) => reindexIn(site.kernel, tx, before));
  } finally {
    await site.close();
  }
  const after = await sampleOf(databaseUrl);
  for (const [at, row] of before.entries()) {
    const [copied, indexed] = [row, after[at]].map((one) => JSON.stringify(one));
    if (copied !== indexed) throw new Error(`The catalog is not as indexing makes it:\n${copied}\n${indexed}`);
  }
  return before.length;
}

/** Adds pages and children with their rows of the catalog; nobody uses the site. */
async function addMore(databaseUrl, { parts, children, progress, check }) {
  const run = (name, first, last) =>
    queryAt(
      databaseUrl,
      `set session_replication_role = replica;\nset seed.first = ${first};\nset seed.last = ${last};\nbegin;\n${sqlOf(name)}\ncommit;`,
    );
  await queryAt(databaseUrl, 'analyze');
  for (let first = PARTS + 1; first <= parts; first += PARTS_AT_ONCE) {
    const last = Math.min(parts, first + PARTS_AT_ONCE - 1);
    await run('more-pages.sql', first, last);
    if (first === PARTS + 1) await check();
    progress(`${last} of ${parts} parts`);
  }
  if (children > FEW_CHILDREN) await run('more-children.sql', FEW_CHILDREN + 1, children);
}

/**
 * Fills an empty database with a site of about `documents` documents, `children` of them in the folder `/many`, and the others as in
 * seed.sql with shorter texts. Returns how many there are.
 */
export async function seedLargeSite(databaseUrl, { documents, children, progress }) {
  const dataDir = await makeReaderSite(databaseUrl, { timeout: 300_000 });
  const check = async () => progress(`checked the catalog of ${await checkCatalog(databaseUrl, dataDir)} documents`);
  const inTree = documents - children;
  await withoutWordIndexes(databaseUrl, async () => {
    await queryAt(
      databaseUrl,
      `set session_replication_role = replica;\nset seed.documents = ${Math.min(inTree, INDEXED)};\nset seed.paragraphs = ${PARAGRAPHS};
        set seed.children = ${Math.min(children, FEW_CHILDREN)};\n${sqlOf('seed.sql')}\n${sqlOf('many-children.sql')}`,
    );
    progress('written what is indexed by the program');
    reindexSite(databaseUrl, dataDir);
    progress('indexed it');
    const parts = inTree > INDEXED ? Math.ceil((inTree - 110) / (FOLDERS * (PAGES_OF_PART + 1))) : 0;
    await addMore(databaseUrl, { parts, children, progress, check });
  });
  progress('made indexes of words');
  await queryAt(databaseUrl, 'vacuum analyze');
  await check();
  const [{ count }] = await queryAt(databaseUrl, 'select count(*)::int from content');
  return count;
}
