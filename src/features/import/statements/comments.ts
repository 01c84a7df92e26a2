import type { Queryable } from '#core';
import type { WrittenComment } from '../../comments/statements/comments.ts';

/** A comment of an import. `inReplyTo` is a stored comment or one earlier in the same list. */
export type NewComment = Omit<WrittenComment, 'reviewState'> & { created: Date; modified: Date };

/** Returns the objects of the comments with these ids; ids without a comment are left out. */
export async function commentOwners(db: Queryable, ids: string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; content: number }>({
    name: 'comment-owners',
    text: 'select id, content from comment where id = any($1)',
    values: [ids],
  });
  return new Map(rows.map(({ id, content }) => [id, content]));
}

/** Inserts comments whose ids are free. Returns their number. */
export async function insertComments(db: Queryable, comments: readonly NewComment[]): Promise<number> {
  const rows = await db.query({
    name: 'insert-comments',
    text: `insert into comment (id, content, in_reply_to, body, mime_type, author, author_name, created, modified)
      select id, content, "inReplyTo", body, "mimeType", author, "authorName", created, modified
      from jsonb_to_recordset($1::jsonb) n(id text, content bigint, "inReplyTo" text, body text, "mimeType" text,
        author text, "authorName" text, created timestamptz, modified timestamptz)
      on conflict (id) do nothing returning id`,
    values: [JSON.stringify(comments)],
  });
  return rows.length;
}
