import type { Queryable } from '../database.ts';

/** A comment as an import writes it; `inReplyTo` is one that is there or comes earlier in the same list. */
export type NewComment = {
  id: string;
  content: number;
  inReplyTo: string | null;
  body: string;
  mimeType: string;
  author: string | null;
  authorName: string;
  created: Date;
  modified: Date;
};

/** Which of the ids comments have already. */
export async function takenCommentIds(db: Queryable, ids: string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({
    name: 'taken-comment-ids',
    text: 'select id from comment where id = any($1)',
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Inserts comments, all or none. */
export async function insertComments(db: Queryable, comments: readonly NewComment[]): Promise<void> {
  await db.query({
    name: 'insert-comments',
    text: `insert into comment (id, content, in_reply_to, body, mime_type, author, author_name, created, modified)
      select id, content, "inReplyTo", body, "mimeType", author, "authorName", created, modified
      from jsonb_to_recordset($1::jsonb) n(id text, content bigint, "inReplyTo" text, body text, "mimeType" text,
        author text, "authorName" text, created timestamptz, modified timestamptz)`,
    values: [JSON.stringify(comments)],
  });
}
