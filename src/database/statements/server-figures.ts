import type { Queryable } from '../database.ts';

/** Loads the maximum number of connections of ordinary users, and the present number. */
export async function connectionFigures(db: Queryable): Promise<{ most: number; used: number }> {
  const [row] = await db.query<{ most: number; used: number }>({
    text: `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`,
    reads: true,
  });
  if (row === undefined) throw new Error('The database did not return its connections');
  return row;
}

/** The time of the clock of the database. */
export async function databaseTime(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ now: Date }>({ text: 'select clock_timestamp() as now', reads: true });
  if (row === undefined) throw new Error('The database did not return its time');
  return row.now;
}
