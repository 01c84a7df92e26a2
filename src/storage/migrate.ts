import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, DatabaseUnavailable } from './database.ts';
import { brokenUniqueConstraint } from './transactions.ts';

/** One step of the schema. `checksum` is the SHA-256 of the text, with line ends as `\n`. */
export type Migration = { id: number; name: string; checksum: string; sql: string };

const FILE_NAME = /^(\d{4})_([a-z0-9_]{1,60})\.sql$/;

/** Reads the files `NNNN_name.sql` of the folder, in their order. Throws when two have one number. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const [, number, name] = FILE_NAME.exec(file) ?? [];
    if (number === undefined || name === undefined) continue;
    const id = Number(number);
    if (migrations.at(-1)?.id === id) throw new Error(`Two migrations have the number ${number} in ${folder}`);
    const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
    migrations.push({ id, name, checksum: createHash('sha256').update(sql).digest('hex'), sql });
  }
  return migrations;
}

type Applied = Omit<Migration, 'sql'>;

/** Any fixed number that no other program in the same database is likely to use. */
const LOCK = 4_072_026_001;

const TABLE = `create table if not exists schema_migration (
  id integer constraint schema_migration_pkey primary key,
  name text not null,
  checksum text not null,
  applied timestamptz not null default now()
)`;

/**
 * Brings the schema up to the files of the folder and answers the names of those it applied. Each
 * is applied in one transaction, so a failure leaves the schema of the one before. Several
 * processes may call it at once: they take turns. Throws DatabaseUnavailable when the database is
 * of a newer program, or when a file was changed after it was applied.
 */
export async function migrate(database: Database, folder: string): Promise<string[]> {
  const known = await readMigrations(folder);
  const done: string[] = [];
  for (;;) {
    const applied = await readApplied(database);
    checkHistory(known, applied);
    const next = known[applied.length];
    if (next === undefined) return done;
    if (await apply(database, next)) done.push(label(next));
  }
}

async function readApplied(database: Database): Promise<Applied[]> {
  const [table] = await database.query<{ present: boolean }>({
    text: `select to_regclass('schema_migration') is not null as present`,
  });
  if (table?.present !== true) return [];
  return database.query<Applied>({ text: 'select id, name, checksum from schema_migration order by id' });
}

/** What is applied must be the beginning of what is known. */
function checkHistory(known: readonly Migration[], applied: readonly Applied[]): void {
  for (const [index, entry] of applied.entries()) {
    const file = known.find(({ id }) => id === entry.id);
    if (file === undefined) {
      throw new DatabaseUnavailable(
        `The database has the migration ${label(entry)}, which this version of Canopy does not know. Use the version that made it, or a newer one.`,
      );
    }
    if (file.name !== entry.name || file.checksum !== entry.checksum) {
      throw new DatabaseUnavailable(
        `The migration ${label(entry)} was changed after it was applied to this database. Restore the file, and put changes into a new one.`,
      );
    }
    const expected = known[index];
    if (expected !== undefined && expected.id !== entry.id) {
      throw new DatabaseUnavailable(
        `The migration ${label(expected)} is not applied, but the later ${label(entry)} is. Give it a number after the last.`,
      );
    }
  }
}

/** Answers false when another process was quicker. */
async function apply(database: Database, { id, name, checksum, sql }: Migration): Promise<boolean> {
  try {
    // Statements sent as one text are one transaction. The name and the checksum have no quotes in them.
    await database.script(`select pg_advisory_xact_lock(${LOCK});
${TABLE};
insert into schema_migration (id, name, checksum) values (${id}, '${name}', '${checksum}');
${sql}`);
    return true;
  } catch (error) {
    if (brokenUniqueConstraint(error) === 'schema_migration_pkey') return false;
    throw error;
  }
}

function label({ id, name }: { id: number; name: string }): string {
  return `${String(id).padStart(4, '0')}_${name}`;
}
