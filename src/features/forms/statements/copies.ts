import { contentSql, type Queryable } from '#core';

/** A copy with forms in it: its number, the number of its original, and its blocks. */
export type CopiedForms = { oid: number; original: number; blocks: unknown };

/** Copies with forms at and below `to` of originals at and below `from`, after the number `after`, in the order of their numbers. */
export const copiesWithForms = (
  db: Queryable,
  { from, to, after, size }: { from: string; to: string; after: number; size: number },
): Promise<CopiedForms[]> =>
  db.query<CopiedForms>({
    name: 'copies-with-forms',
    text: `select c.oid, o.oid as original, c.blocks from content c
      join content o on o.path = $1 || substr(c.path, length($2) + 1)
      where ${contentSql.AT_OR_BELOW('c.path', '$2')} and c.oid > $3
        and jsonb_path_exists(c.blocks::jsonb, '$.**."@type" ? (@ == "form" || @ == "schemaForm")')
      order by c.oid limit $4`,
    values: [from, to, after, size],
  });
