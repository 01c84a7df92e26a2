import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppliedMigration, isUnfinishedDraft, isWholeDraft } from './before-release.ts';
import { type Database, DatabaseUnavailable, type Queryable } from './database.ts';
import { brokenUniqueConstraint } from './sql-errors.ts';

/** One step of the schema. `checksum` is the SHA-256 of the text, with line ends as `\n`. */
type Migration = AppliedMigration & { sql: string };

const FILE_NAME = /^(\d{4})_([a-z0-9_]{1,60})\.sql$/;

/** Loads the files `NNNN_name.sql` of the folder, in their order. Throws when two files have one number. */
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

/** Target of migrations: a database, or a transaction that takes scripts. */
export type Migrated = Pick<Database, 'query' | 'script'>;

/** The migrations of a database: migrations of the program, and migrations of each feature that has some. */
export type SchemaVersion = { program: AppliedMigration[]; features: Record<string, AppliedMigration[]> };

/** The lock of changes of the schema: a fixed number that no other program in the same database is likely to use. */
export const LOCK = 4_072_026_001;

/** The table of the applied migrations. */
type Ledger = {
  /** Makes the table of the ledger when it is missing. */
  table: string;
  name: string;
  /** The constraint by which only one process can apply a migration. */
  key: string;
  /** The column and the value for the feature, beside the columns of the migration. */
  owner: { column: string; value: string } | undefined;
  /** The name of a migration in messages. */
  label(migration: { id: number; name: string }): string;
  /** The name, in messages, of the program that is too old for a database with an unknown migration. */
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

/** The ledger of a feature from outside. Throws for a name with quotes. */
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
 * Checks that the program and the features, each with the folder of its migrations, have all migrations that were applied to the database; changes
 * nothing. Returns true if the database has all migrations of the program. Throws DatabaseUnavailable for a database of a newer program or a newer
 * version of a feature, for a database from before the first release that is not of the last such version, and when a file was changed after it was
 * applied.
 */
export async function requireKnownSchema(
  database: Queryable,
  folder: string,
  features: readonly { name: string; folder: string }[] = [],
): Promise<boolean> {
  const applied = await loadApplied(OF_THE_PROGRAM, database);
  const known = await loadMigrations(folder);
  const isDraft = isWholeDraft(applied);
  if (!isDraft) checkHistory(OF_THE_PROGRAM, known, applied);
  for (const { name, folder } of features) {
    const ledger = ledgerOf(name);
    checkHistory(ledger, await loadMigrations(folder), await loadApplied(ledger, database));
  }
  return !isDraft && applied.length === known.length;
}

/**
 * Applies the missing migrations of the folder and returns their names. Each is applied in one transaction, so a failure leaves the schema of the
 * previous one. Several processes may call it at once; they take turns. Throws DatabaseUnavailable as `requireKnownSchema` does.
 */
export const migrate = (database: Database, folder: string): Promise<string[]> =>
  migrateBy(OF_THE_PROGRAM, database, folder);

/**
 * Applies the missing migrations of a feature, which are listed under its name in the table `feature_migration`, and run after the migrations of the
 * program.
 */
export const migrateFeature = (database: Database, feature: string, folder: string): Promise<string[]> =>
  migrateBy(ledgerOf(feature), database, folder);

/** Throws DatabaseUnavailable unless the migrations are the first ones of a folder, of the program or of the named feature. */
export async function requireKnown(
  folder: string,
  applied: readonly AppliedMigration[],
  feature?: string,
): Promise<void> {
  if (isWholeDraft(applied)) return;
  checkHistory(feature === undefined ? OF_THE_PROGRAM : ledgerOf(feature), await loadMigrations(folder), applied);
}

/** Applies the migrations that another database has, which are the first ones of the folder (`requireKnown`), to an empty schema. */
export async function migrateLike(
  target: Migrated,
  folder: string,
  applied: readonly AppliedMigration[],
  feature?: string,
): Promise<void> {
  const ledger = feature === undefined ? OF_THE_PROGRAM : ledgerOf(feature);
  const count = isWholeDraft(applied) ? 1 : applied.length;
  for (const migration of (await loadMigrations(folder)).slice(0, count)) await apply(ledger, target, migration);
}

/** Loads the migrations of a database. */
export async function loadSchemaVersion(database: Queryable): Promise<SchemaVersion> {
  const features: Record<string, AppliedMigration[]> = {};
  if (await hasTable(database, 'feature_migration')) {
    const rows = await database.query<AppliedMigration & { feature: string }>({
      text: 'select feature, id, name, checksum from feature_migration order by feature, id',
    });
    for (const { feature, ...applied } of rows) {
      features[feature] ??= [];
      features[feature].push(applied);
    }
  }
  return { program: await loadApplied(OF_THE_PROGRAM, database), features };
}

/** Returns the migrations of the folder that the database lacks, without applying them. Throws DatabaseUnavailable as `migrate` does. */
export async function pendingMigrations(database: Database, folder: string): Promise<string[]> {
  const known = await loadMigrations(folder);
  const applied = await loadApplied(OF_THE_PROGRAM, database);
  checkHistory(OF_THE_PROGRAM, known, applied);
  return known.slice(applied.length).map(label);
}

async function migrateBy(ledger: Ledger, database: Database, folder: string): Promise<string[]> {
  const known = await loadMigrations(folder);
  const done: string[] = [];
  for (;;) {
    const applied = await loadApplied(ledger, database);
    const [first] = known;
    if (first !== undefined && ledger === OF_THE_PROGRAM && isWholeDraft(applied)) {
      await adoptDraft(database, first);
      continue;
    }
    checkHistory(ledger, known, applied);
    const next = known[applied.length];
    if (next === undefined) return done;
    if (await apply(ledger, database, next)) done.push(label(next));
  }
}

/** Lists the first migration in place of the migrations before the first release, which have made the same schema. */
async function adoptDraft(database: Database, first: Migration): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] });
    // Another process may have been quicker.
    if (!isWholeDraft(await loadApplied(OF_THE_PROGRAM, tx))) return;
    await tx.query({ text: 'delete from schema_migration' });
    await tx.query({
      text: 'insert into schema_migration (id, name, checksum) values ($1, $2, $3)',
      values: [first.id, first.name, first.checksum],
    });
  });
}

async function hasTable(database: Queryable, name: string): Promise<boolean> {
  const [table] = await database.query<{ present: boolean }>({
    text: 'select to_regclass($1) is not null as present',
    values: [name],
  });
  return table?.present === true;
}

async function loadApplied({ name, owner }: Ledger, database: Queryable): Promise<AppliedMigration[]> {
  if (!(await hasTable(database, name))) return [];
  return database.query<AppliedMigration>({
    text: `select id, name, checksum from ${name} ${owner ? `where ${owner.column} = $1` : ''} order by id`,
    values: owner ? [owner.value] : [],
  });
}

/** Throws DatabaseUnavailable unless the applied migrations are the first known ones. */
function checkHistory(ledger: Ledger, known: readonly Migration[], applied: readonly AppliedMigration[]): void {
  const { label, program } = ledger;
  const last = applied.at(-1);
  if (ledger === OF_THE_PROGRAM && last !== undefined && isUnfinishedDraft(applied)) {
    throw new DatabaseUnavailable(
      `The database has the schema of a version before 0.1.0 (${label(last)}), which this version cannot use. Start it once with the last version before 0.1.0, or export the site with its own version and import it here.`,
    );
  }
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
    // Statements that are sent as one text are one transaction. The names and the checksum contain no quotes.
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

/** Lets the migrations of a feature run again at the next start with the feature. Call it only after some have run. */
export async function forgetMigrations(tx: Queryable, feature: string): Promise<void> {
  await tx.query({ text: 'delete from feature_migration where feature = $1', values: [feature] });
}
