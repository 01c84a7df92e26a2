import type { Database, DatabaseFigures } from './database.ts';

/** Version, name and size in bytes, asked in the same words of both engines. */
export async function loadFigures(database: Database): Promise<DatabaseFigures> {
  const [row] = await database.query<Omit<DatabaseFigures, 'engine'>>({
    text: `select current_setting('server_version') as version, current_database()::text as name,
      pg_database_size(current_database()) as bytes`,
  });
  if (row === undefined) throw new Error('The database did not tell its figures');
  return { engine: database.engine, ...row };
}
