import type { Queryable } from '#core';

/** How much content there is: objects, and bytes of the different files that they refer to. */
export type ContentFigures = { objects: number; blobBytes: number };

/** Counts the objects and adds up their files, each blob once. Reads all of `content`: not for every request. */
export async function contentFigures(db: Queryable): Promise<ContentFigures> {
  const [row] = await db.query<ContentFigures>({
    name: 'figures-content',
    text: `select (select count(*) from content) as objects, coalesce(sum(size), 0)::bigint as "blobBytes" from (
        select max((value->>'size')::bigint) as size from content c, jsonb_each(c.fields)
        where jsonb_typeof(value) = 'object' and value ? 'hash' and jsonb_typeof(value->'size') = 'number' group by value->>'hash'
      ) blob`,
  });
  if (row === undefined) throw new Error('The database did not tell its figures');
  return row;
}

/** Checks that the database responds. */
export async function pingDatabase(db: Queryable): Promise<void> {
  await db.query({ name: 'figures-ping', text: 'select 1 as one' });
}
