import type { Queryable } from '../../../storage/database.ts';
import type { WrittenComment } from '../../comments/statements.ts';

/** A comment as an import writes it; `inReplyTo` is one that is there or comes earlier in the same list. */
export type NewComment = Omit<WrittenComment, 'reviewState'> & { created: Date; modified: Date };

/** The objects that the comments with these ids are on; ids that no comment has are not there. */
export async function commentOwners(db: Queryable, ids: string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; content: number }>({
    name: 'comment-owners',
    text: 'select id, content from comment where id = any($1)',
    values: [ids],
  });
  return new Map(rows.map(({ id, content }) => [id, content]));
}

/** Inserts comments whose ids are free. Answers their number. */
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
