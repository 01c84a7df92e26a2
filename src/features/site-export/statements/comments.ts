import { contentSql, type Queryable } from '#core';
import { BATCH, batches } from './plone.ts';

export type CommentRow = {
  content: number;
  uid: string;
  path: string;
  id: string;
  in_reply_to: string | null;
  body: string;
  mime_type: string;
  author: string | null;
  author_name: string;
  created: Date;
  modified: Date;
  /** The time to the microsecond, which orders rows of the same millisecond. */
  at: string;
};

/** Comments on content at or below `path`, grouped by object, the oldest first. */
export const commentRows = (db: Queryable, path: string): AsyncGenerator<CommentRow> =>
  batches((after) =>
    db.query<CommentRow>({
      name: 'export-comment-rows',
      text: `select k.content, c.uid, c.path, k.id, k.in_reply_to, k.body, k.mime_type, k.author, k.author_name, k.created, k.modified,
          k.created::text as at
        from comment k join content c on c.oid = k.content
        where ${contentSql.AT_OR_BELOW('c.path', '$1')} and (k.content, k.created, k.id) > ($2, $3::timestamptz, $4)
        order by k.content, k.created, k.id limit ${BATCH}`,
      values: [path, after?.content ?? 0, after?.at ?? '-infinity', after?.id ?? ''],
    }),
  );

/** The place of a comment in its conversation; `microsecond` is the time of its creation since 1970. */
export type CommentPlace = { id: string; in_reply_to: string | null; published: boolean; microsecond: string };

/** The comments on an object, the oldest first. */
export const commentPlaces = (db: Queryable, content: number): Promise<CommentPlace[]> =>
  db.query<CommentPlace>({
    name: 'export-comment-places',
    text: `select id, in_reply_to, review_state = 'published' as published,
        floor(extract(epoch from created) * 1000000)::bigint::text as microsecond
      from comment where content = $1 order by created, id`,
    values: [content],
  });
