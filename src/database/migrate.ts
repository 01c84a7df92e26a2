import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, DatabaseUnavailable, type Queryable } from './database.ts';
import { brokenUniqueConstraint } from './sql-errors.ts';

/** One step of the schema. `checksum` is the SHA-256 of the text, with line ends as `\n`. */
type Migration = { id: number; name: string; checksum: string; sql: string };

const FILE_NAME = /^(\d{4})_([a-z0-9_]{1,60})\.sql$/;

/** Reads the files `NNNN_name.sql` of the folder, in their order. Throws when two have one number. */
async function loadMigrations(folder: string): Promise<Migration[]> {
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

/** A migration that a database has. */
export type Applied = Omit<Migration, 'sql'>;

/** Target of migrations: a database, or a transaction that takes scripts. */
export type Migrated = Pick<Database, 'query' | 'script'>;

/** The migrations of a database: those of the program, and those of each feature that has some. */
export type SchemaVersion = { program: Applied[]; features: Record<string, Applied[]> };

/** The lock of changes of the schema: a fixed number that no other program in the same database is likely to use. */
export const LOCK = 4_072_026_001;

/** Where it is written down which migrations were applied. */
type Ledger = {
  /** Makes the table of the ledger when it is missing. */
  table: string;
  name: string;
  /** The constraint that only one process can apply a migration by. */
  key: string;
  /** A column and a value beside those of the migration: the feature. */
  owner: { column: string; value: string } | undefined;
  /** How messages speak of one migration. */
  label(migration: { id: number; name: string }): string;
  /** Who is too old for a database with a migration that is not known. */
  program: string;
};

const OF_THE_PROGRAM: Ledger = {
  table: `create table if not exists schema_migration (
  id integer constraint schema_migration_pkey primary key,
  name text not null,
  checksum text not null,
  applied timestamptz not null default now()
)`,
  name: 'schema_migration',
  key: 'schema_migration_pkey',
  owner: undefined,
  label,
  program: 'Canopy',
};

const FEATURE_NAME = /^[A-Za-z0-9@._/-]{1,100}$/;

/** The ledger of a feature from outside; its name has no quotes in it. Throws when it has. */
function ledgerOf(feature: string): Ledger {
  if (!FEATURE_NAME.test(feature)) throw new Error(`The feature "${feature}" cannot have migrations under this name`);
  return {
    table: `create table if not exists feature_migration (
  feature text not null,
  id integer not null,
  name text not null,
  checksum text not null,
  applied timestamptz not null default now(),
  constraint feature_migration_pkey primary key (feature, id)
)`,
    name: 'feature_migration',
    key: 'feature_migration_pkey',
    owner: { column: 'feature', value: feature },
    label: (migration) => `${label(migration)} of the feature "${feature}"`,
    program: `the feature "${feature}"`,
  };
}

/**
 * Brings the schema up to the files of the folder and returns the names of those it applied. Each
 * is applied in one transaction, so a failure leaves the schema of the one before. Several
 * processes may call it at once: they take turns. Throws DatabaseUnavailable when the database is
 * of a newer program, or when a file was changed after it was applied. With `until` as many are applied, which must be the first ones (`requireKnown`).
 */
export const migrate = (database: Migrated, folder: string, until?: readonly Applied[]): Promise<string[]> =>
  migrateBy(OF_THE_PROGRAM, database, folder, until);

/**
 * The same for the migrations that a feature brings. They are counted under its name, in the table `feature_migration`,
 * and run after those of the program.
 */
export const migrateFeature = (
  database: Migrated,
  feature: string,
  folder: string,
  until?: readonly Applied[],
): Promise<string[]> => migrateBy(ledgerOf(feature), database, folder, until);

/** Throws DatabaseUnavailable unless the migrations are the first ones of a folder, which is that of a feature where one is named. */
export async function requireKnown(folder: string, applied: readonly Applied[], feature?: string): Promise<void> {
  checkHistory(feature === undefined ? OF_THE_PROGRAM : ledgerOf(feature), await loadMigrations(folder), applied);
}

/** Loads the migrations of a database. */
export async function loadSchemaVersion(database: Queryable): Promise<SchemaVersion> {
  const features: Record<string, Applied[]> = {};
  if (await hasTable(database, 'feature_migration')) {
    const rows = await database.query<Applied & { feature: string }>({
      text: 'select feature, id, name, checksum from feature_migration order by feature, id',
    });
    for (const { feature, ...applied } of rows) {
      features[feature] ??= [];
      features[feature].push(applied);
    }
  }
  return { program: await loadApplied(OF_THE_PROGRAM, database), features };
}

async function migrateBy(
  ledger: Ledger,
  database: Migrated,
  folder: string,
  until?: readonly Applied[],
): Promise<string[]> {
  const known = (await loadMigrations(folder)).slice(0, until?.length);
  const done: string[] = [];
  for (;;) {
    const applied = await loadApplied(ledger, database);
    checkHistory(ledger, known, applied);
    const next = known[applied.length];
    if (next === undefined) return done;
    if (await apply(ledger, database, next)) done.push(label(next));
  }
}

async function hasTable(database: Queryable, name: string): Promise<boolean> {
  const [table] = await database.query<{ present: boolean }>({
    text: 'select to_regclass($1) is not null as present',
    values: [name],
  });
  return table?.present === true;
}

async function loadApplied({ name, owner }: Ledger, database: Queryable): Promise<Applied[]> {
  if (!(await hasTable(database, name))) return [];
  return database.query<Applied>({
    text: `select id, name, checksum from ${name} ${owner ? `where ${owner.column} = $1` : ''} order by id`,
    values: owner ? [owner.value] : [],
  });
}

/** Throws DatabaseUnavailable unless the applied migrations are the first of the known ones. */
function checkHistory({ label, program }: Ledger, known: readonly Migration[], applied: readonly Applied[]): void {
  for (const [index, entry] of applied.entries()) {
    const file = known.find(({ id }) => id === entry.id);
    if (file === undefined) {
      throw new DatabaseUnavailable(
        `The database has the migration ${label(entry)}, which this version of ${program} does not know. Use the version that made it, or a newer one.`,
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

/** Returns false when another process was quicker. */
async function apply(
  { table, name: ledger, key, owner }: Ledger,
  database: Migrated,
  { id, name, checksum, sql }: Migration,
): Promise<boolean> {
  try {
    // Statements sent as one text are one transaction. The names and the checksum have no quotes in them.
    await database.script(`select pg_advisory_xact_lock(${LOCK});
${table};
insert into ${ledger} (${owner ? `${owner.column}, ` : ''}id, name, checksum)
values (${owner ? `'${owner.value}', ` : ''}${id}, '${name}', '${checksum}');
${sql}`);
    return true;
  } catch (error) {
    if (brokenUniqueConstraint(error) === key) return false;
    throw error;
  }
}

function label({ id, name }: { id: number; name: string }): string {
  return `${String(id).padStart(4, '0')}_${name}`;
}

/** Lets the migrations of a feature run again at the next start with it. Some have run. */
export async function forgetMigrations(tx: Queryable, feature: string): Promise<void> {
  await tx.query({ text: 'delete from feature_migration where feature = $1', values: [feature] });
}
