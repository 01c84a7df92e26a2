import type { Database } from './database.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { type Migration, readMigrations } from './read-migrations.ts';
import { brokenUniqueConstraint } from './sql-error.ts';

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
