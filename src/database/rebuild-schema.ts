import type { Queryable, Transaction } from './database.ts';
import { type Migrated, migrateLike, requireKnown, type SchemaVersion } from './migrate.ts';

/** Drops everything that migrations make, in the order of dependencies. Objects of extensions stay. */
const DROPS = `select format('drop table if exists %s cascade', c.oid::regclass) as drop
    from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace and not c.relispartition
  union all select format('drop routine if exists %s cascade', p.oid::regprocedure)
    from pg_proc p where p.pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  union all select format('drop sequence if exists %s cascade', c.oid::regclass)
    from pg_class c where c.relkind = 'S' and c.relnamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('i', 'a'))`;

/** A transaction that takes scripts, by PL/pgSQL, because no other statement can run several statements. */
const withScripts = (tx: Queryable): Migrated => ({
  query: (statement) => tx.query(statement),
  async script(sql) {
    await tx.query({ text: `select set_config('canopy.script', $1, true)`, values: [sql] });
    await tx.query({ text: `do $$ begin execute current_setting('canopy.script'); end $$` });
  },
});

/** Folders of migrations: the folder of the program, and the folders of features by their names. */
export type MigrationFolders = { program: string; features: ReadonlyMap<string, string> };

/** Throws DatabaseUnavailable, with a message of one line, when the program or a feature does not have this version. */
export async function requireVersion({ program, features }: SchemaVersion, folders: MigrationFolders): Promise<void> {
  await requireKnown(folders.program, program);
  for (const [feature, applied] of Object.entries(features)) {
    const folder = folders.features.get(feature);
    if (folder !== undefined) await requireKnown(folder, applied, feature);
  }
}

/** Removes all tables and functions of the schema and makes those of a known version, in one transaction. */
export async function rebuildSchema(tx: Transaction, version: SchemaVersion, folders: MigrationFolders): Promise<void> {
  const drops = await tx.query<{ drop: string }>({ text: DROPS });
  for (const { drop } of drops) await tx.query({ text: drop });
  const target = withScripts(tx);
  await migrateLike(target, folders.program, version.program);
  for (const [feature, applied] of Object.entries(version.features)) {
    const folder = folders.features.get(feature);
    if (folder !== undefined) await migrateLike(target, folder, applied, feature);
  }
}
