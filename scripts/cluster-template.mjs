// Makes the database that new embedded sites begin with; the build runs it after the compiler.
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { ROOT } from './lib/root.mjs';

const TEMPLATE = join(ROOT, 'dist/cluster.tar.gz');
const MIGRATIONS = join(ROOT, 'migrations');

/** Says if the template is missing, or older than the migrations, the database engine or the code that sets it up. */
async function isStale() {
  if (!existsSync(TEMPLATE)) return true;
  const made = statSync(TEMPLATE).mtimeMs;
  const sources = [
    ...(await readdir(MIGRATIONS)).map((name) => join(MIGRATIONS, name)),
    join(ROOT, 'node_modules/@electric-sql/pglite/package.json'),
    join(ROOT, 'dist/src/database/pglite/cluster.js'),
  ];
  return sources.some((file) => statSync(file).mtimeMs > made);
}

/** An empty cluster with the schema, where `src/database/pglite/cluster.ts` looks for it: beside the compiled code. */
async function makeTemplate() {
  const compiled = (name) => import(pathToFileURL(join(ROOT, 'dist/src/database', name)).href);
  const [{ MEMORY_OPTIONS }, { PgliteDatabase }, { migrate }] = await Promise.all(
    ['pglite/cluster.js', 'pglite/database.js', 'migrate.js'].map(compiled),
  );
  const pg = await PGlite.create(MEMORY_OPTIONS);
  const database = new PgliteDatabase(pg, { log: (message, error) => console.error(message, error ?? '') });
  try {
    await migrate(database, MIGRATIONS);
    await pg.exec('checkpoint');
    writeFileSync(TEMPLATE, await (await pg.dumpDataDir('gzip')).bytes());
  } finally {
    await database.close();
  }
}

if (await isStale()) await makeTemplate();
