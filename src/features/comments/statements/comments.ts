import { firstRow, type Queryable } from '#core';

/** Review states of comments. Only published comments are shown to everybody. */
export const PUBLISHED = 'published';
export const PENDING = 'pending';

/** A comment as one viewer of the conversation sees it. */
export type CommentRow = {
  id: string;
  inReplyTo: string | null;
  body: string;
  mimeType: string;
  /** Id of the user; null for visitors. */
  author: string | null;
  /** The full name of the user, else the name stored with the comment, else the id. */
  authorName: string | null;
  hasPortrait: boolean;
  created: Date;
  modified: Date;
  reviewState: string;
  /** Nesting level; 1 for the first comment of a thread. */
  depth: number;
  /** True if there is a reply that the viewer can see. */
  hasReplies: boolean;
};

/** The viewer of the comments on an object. Only authors and reviewers see unpublished comments. */
export type CommentView = { content: number; reviewer: boolean; user: string | null };

/** A condition: the comment is visible to a reviewer (`$2`) or to the user `$3`. */
const SHOWN = (comment: string) =>
  `($2::boolean or ${comment}.review_state = 'published' or ${comment}.author = $3::text)`;

/**
 * The columns of a comment `c` with its author `a`. The name is the stored name of the commenter (plone.app.discussion), else the present name of the
 * author.
 */
export const COLUMNS = `c.id, c.in_reply_to as "inReplyTo", c.body, c.mime_type as "mimeType", c.author,
  coalesce(nullif(nullif(c.author_name, ''), c.author), nullif(a.fullname, ''), c.author) as "authorName",
  a.portrait is not null as "hasPortrait", c.created, c.modified, c.review_state as "reviewState"`;

// Replies to a hidden comment are hidden with it.
const PAGE = `with recursive thread as (
    select c.id, c.created, c.in_reply_to, 1 as depth from comment c
      where c.content = $1 and c.in_reply_to is null and ${SHOWN('c')}
    union all
    select c.id, c.created, c.in_reply_to, t.depth + 1 from comment c join thread t on c.in_reply_to = t.id
      where c.content = $1 and ${SHOWN('c')}
  ) search depth first by created, id set place,
  page as (select id, depth, place from thread order by place limit $4 offset $5)
  select (select count(*) from thread) as total, p.depth, ${COLUMNS},
    p.id in (select in_reply_to from thread where in_reply_to is not null) as "hasReplies"
  from (select) as always left join page p on true left join comment c on c.id = p.id left join account a on a.id = c.author
  order by p.place`;

/** One batch of the comments on an object and their total: replies follow their comment, the oldest first. Takes one statement. */
export async function listComments(
  db: Queryable,
  { content, reviewer, user }: CommentView,
  { start, size }: { start: number; size: number },
): Promise<{ items: CommentRow[]; total: number }> {
  type Row = { [K in keyof CommentRow]: K extends 'id' ? CommentRow[K] | null : CommentRow[K] } & { total: number };
  const rows = await db.query<Row>({
    name: 'list-comments',
    text: PAGE,
    values: [content, reviewer, user, size, start],
  });
  const items = rows.flatMap(({ total: _, id, ...row }) => (id === null ? [] : { ...row, id }));
  return { items, total: rows[0]?.total ?? 0 };
}

/** One comment on an object; undefined when it, or a comment that it replies to, is hidden. */
export const findComment = (
  db: Queryable,
  { content, reviewer, user }: CommentView,
  id: string,
): Promise<CommentRow | undefined> =>
  firstRow<CommentRow>(db, {
    name: 'find-comment',
    text: `with recursive way as (
        select c.id, c.in_reply_to, ${SHOWN('c')} as shown from comment c where c.content = $1 and c.id = $4
        union all
        select c.id, c.in_reply_to, ${SHOWN('c')} from comment c join way w on c.id = w.in_reply_to
      )
      select (select count(*) from way) as depth, ${COLUMNS},
        exists (select from comment r where r.in_reply_to = c.id and ${SHOWN('r')}) as "hasReplies"
      from comment c left join account a on a.id = c.author
      where c.content = $1 and c.id = $4 and (select bool_and(shown) from way)`,
    values: [content, reviewer, user, id],
  });

/** Locks a comment until the transaction ends: others cannot remove it, and with `exclusive` they cannot reply to it. */
export async function lockComment(
  db: Queryable,
  { content, id }: { content: number; id: string },
  mode: 'shared' | 'exclusive',
): Promise<void> {
  await db.query({
    name: `lock-comment-${mode}`,
    text: `select from comment where content = $1 and id = $2 for ${mode === 'shared' ? 'key share' : 'update'}`,
    values: [content, id],
  });
}

/** A new comment. */
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

/** Inserts a comment with the time of the database, by which the comments of a thread are ordered. */
export async function insertComment(db: Queryable, comment: WrittenComment): Promise<void> {
  const { id, content, inReplyTo, body, mimeType, author, authorName, reviewState } = comment;
  await db.query({
    name: 'insert-comment',
    text: `insert into comment (id, content, in_reply_to, body, mime_type, author, author_name, review_state, created, modified)
      select $1, $2, $3, $4, $5, $6, $7, $8, at, at from (select clock_timestamp() as at) now`,
    values: [id, content, inReplyTo, body, mimeType, author, authorName, reviewState],
  });
}

/** A comment of an import. `inReplyTo` is a stored comment or one earlier in the same list. */
export type ImportedComment = Omit<WrittenComment, 'reviewState'> & { created: Date; modified: Date };

/** Inserts comments whose ids are free. Returns their number. */
export async function insertComments(db: Queryable, comments: readonly ImportedComment[]): Promise<number> {
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

/** Replaces the text of a comment and sets its time of modification. */
export async function updateComment(db: Queryable, { id, body }: { id: string; body: string }): Promise<void> {
  await db.query({
    name: 'update-comment',
    text: 'update comment set body = $2, modified = clock_timestamp() where id = $1',
    values: [id, body],
  });
}

/** Sets the review state of a comment. */
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
