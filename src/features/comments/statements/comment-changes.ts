import type { Queryable } from '../../../storage/database.ts';

/** Holds a comment on an object until the transaction ends: nobody removes it, and as `exclusive` nobody replies to it. */
export async function lockComment(
  db: Queryable,
  { content, id }: { content: number; id: string },
  mode: 'shared' | 'exclusive',
): Promise<void> {
  await db.query({
    name: `hold-comment-${mode}`,
    text: `select from comment where content = $1 and id = $2 for ${mode === 'shared' ? 'key share' : 'update'}`,
    values: [content, id],
  });
}

/** A comment that somebody writes now. */
export type WrittenComment = {
  id: string;
  content: number;
  inReplyTo: string | null;
  body: string;
  mimeType: string;
  author: string | null;
  authorName: string;
  reviewState: string;
};

/** Inserts a comment with the time of the database, which orders the comments of a thread. */
export async function insertComment(db: Queryable, comment: WrittenComment): Promise<void> {
  const { id, content, inReplyTo, body, mimeType, author, authorName, reviewState } = comment;
  await db.query({
    name: 'insert-comment',
    text: `insert into comment (id, content, in_reply_to, body, mime_type, author, author_name, review_state, created, modified)
      select $1, $2, $3, $4, $5, $6, $7, $8, at, at from (select clock_timestamp() as at) now`,
    values: [id, content, inReplyTo, body, mimeType, author, authorName, reviewState],
  });
}

/** Gives a comment another text. */
export async function updateComment(db: Queryable, { id, body }: { id: string; body: string }): Promise<void> {
  await db.query({
    name: 'update-comment',
    text: 'update comment set body = $2, modified = clock_timestamp() where id = $1',
    values: [id, body],
  });
}

/** Gives a comment another state. */
export async function updateCommentState(db: Queryable, { id, state }: { id: string; state: string }): Promise<void> {
  await db.query({
    name: 'update-comment-state',
    text: 'update comment set review_state = $2 where id = $1',
    values: [id, state],
  });
}

/** Removes a comment and all replies to it. */
export async function deleteComment(db: Queryable, id: string): Promise<void> {
  await db.query({ name: 'delete-comment', text: 'delete from comment where id = $1', values: [id] });
}
