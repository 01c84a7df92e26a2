import type { Queryable } from '#core';

/** An inconsistent entry: its stated and actual number of objects, and whether the deleted object is among them. */
export type CheckedEntry = { id: string; path: string; said: number; present: number; hasTop: boolean; strays: number };

/** The next entries after an id, with their actual objects. */
export const checkedEntries = (db: Queryable, after: string, limit: number): Promise<CheckedEntry[]> =>
  db.query<CheckedEntry>({
    name: 'recycled-check',
    text: `select e.id, e.path, e.objects as said,
        (select count(*)::int from recycled_object o where o.entry = e.id) as present,
        exists (select from recycled_object o where o.entry = e.id and o.path = e.path and o.oid = e.oid) as "hasTop",
        (select count(*)::int from recycled_row r where r.entry = e.id
          and not exists (select from recycled_object o where o.entry = e.id and o.oid = r.oid)) as strays
      from recycled e where e.id > $1 order by e.id limit $2`,
    values: [after, limit],
    reads: true,
  });

/** Corrects the number of objects in an entry. */
export async function mendCount(db: Queryable, id: string): Promise<void> {
  await db.query({
    name: 'recycled-mend-count',
    text: 'update recycled set objects = (select count(*) from recycled_object o where o.entry = $1) where id = $1',
    values: [id],
  });
}

/** Removes an entry without objects. */
export async function removeEmptyEntry(db: Queryable, id: string): Promise<void> {
  await db.query({
    name: 'recycled-remove-empty',
    text: 'delete from recycled e where id = $1 and not exists (select from recycled_object o where o.entry = e.id)',
    values: [id],
  });
}
