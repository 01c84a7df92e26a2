import type { Queryable } from '#core';

/** Returns the objects of the comments with these ids; ids without a comment are left out. */
export async function commentOwners(db: Queryable, ids: string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; content: number }>({
    name: 'comment-owners',
    text: 'select id, content from comment where id = any($1)',
    values: [ids],
  });
  return new Map(rows.map(({ id, content }) => [id, content]));
}
