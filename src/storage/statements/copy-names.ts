import type { Queryable } from '../database.ts';

/** Whether a child of the container has the name. */
export async function hasChild(db: Queryable, parent: number, name: string): Promise<boolean> {
  const rows = await db.query({
    name: 'has-child',
    text: 'select 1 from content where parent = $1 and name = $2',
    values: [parent, name],
  });
  return rows.length > 0;
}

/** The first number from `first` to `last` for which `copy<number>_of_<name>` is free in the container; 1 is not written. */
export async function freeCopyNumber(
  db: Queryable,
  { parent, name, first, last }: { parent: number; name: string; first: number; last: number },
): Promise<number | undefined> {
  const rows = await db.query<{ n: number }>({
    name: 'free-copy-number',
    text: `select n from generate_series($3::int, $4::int) n
      where not exists (select 1 from content c where c.parent = $1
        and c.name = 'copy' || case when n = 1 then '' else n::text end || '_of_' || $2)
      order by n limit 1`,
    values: [parent, name, first, last],
  });
  return rows[0]?.n;
}
