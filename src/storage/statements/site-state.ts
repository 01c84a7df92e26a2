import type { Queryable } from '../database.ts';

/** A value of the site as a whole, such as its profile and the version of it. */
export async function readState(db: Queryable, name: string): Promise<string | undefined> {
  const rows = await db.query<{ value: string }>({
    text: 'select value from site_state where name = $1',
    values: [name],
  });
  return rows[0]?.value;
}

export async function writeState(db: Queryable, name: string, value: string): Promise<void> {
  await db.query({
    text: 'insert into site_state values ($1, $2) on conflict (name) do update set value = excluded.value',
    values: [name, value],
  });
}
