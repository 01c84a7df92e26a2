import { contentSql, type Queryable } from '#core';
import { COLUMNS, type CommentRow } from './comments.ts';

/** Maximum number of objects whose comments one search reads: the objects that were commented last. */
const MAX_OBJECTS = 1000;

const COMMENTED = contentSql.viewed(
  'commented-objects',
  (rule) => `select c.oid, c.path from content c join catalog k using (oid)
        join (select content, max(created) as last from comment group by content) o on o.content = c.oid
      where ${rule.visibleNow('$1', '$2')}
        and (c.path = any($4) or exists (select from unnest($3::text[]) place where ${contentSql.AT_OR_BELOW('c.path', 'place')}))
      order by o.last desc, c.oid limit ${MAX_OBJECTS}`,
);

/**
 * The objects with comments that the viewers may view, at or below one of `places` or at one of `exact`; objects with the newest comments come first.
 */
export const commentedObjects = (
  db: Queryable,
  {
    principals,
    rule,
    inactive,
    places,
    exact,
  }: contentSql.Viewers & { inactive: boolean; places: readonly string[]; exact: readonly string[] },
): Promise<{ oid: number; path: string }[]> =>
  db.query({
    ...COMMENTED(rule),
    values: [principals, inactive, places, exact],
  });

/** A comment with the number of the object that it is on. */
export type FoundComment = CommentRow & { content: number };

/** A search among the comments on some objects. */
export type FoundCommentsQuery = {
  /** Objects whose published comments may be seen, and objects whose comments may all be seen. */
  readable: readonly number[];
  reviewable: readonly number[];
  /** The user who sees their own comments in any state. */
  user: string | null;
  /** Review states and ids of authors; none for all. */
  states: readonly string[];
  authors: readonly string[];
  /** A text that must occur. */
  text: string;
  column: 'created' | 'modified';
  descending: boolean;
  start: number;
  size: number;
};

/** One page of the matching comments, with the number of all. Replies have the same level as first comments here. */
export async function findComments(
  db: Queryable,
  query: FoundCommentsQuery,
): Promise<{ items: FoundComment[]; total: number }> {
  const { readable, reviewable, user, states, authors, text, column, descending, start, size } = query;
  const direction = descending ? 'desc' : 'asc';
  type Row = { [K in keyof FoundComment]: K extends 'id' ? string | null : FoundComment[K] } & { total: number };
  const rows = await db.query<Row>({
    name: `find-comments-${column}-${direction}`,
    text: `with found as materialized (
        select c.id from comment c where c.content = any($1::bigint[])
          and (c.review_state = 'published' or c.content = any($2::bigint[]) or c.author = $3::text)
          and (cardinality($4::text[]) = 0 or c.review_state = any($4::text[]))
          and (cardinality($5::text[]) = 0 or c.author = any($5::text[]))
          and ($6::text = '' or position(lower($6::text) in lower(c.body)) > 0)
      )
      select (select count(*)::int from found) as total, c.content, 1 as depth, ${COLUMNS},
        exists (select from comment r where r.in_reply_to = c.id) as "hasReplies"
      from (select) one
        left join lateral (select c.* from comment c join found using (id) order by c.${column} ${direction}, c.id limit $7 offset $8) c on true
        left join account a on a.id = c.author
      order by c.${column} ${direction}, c.id`,
    values: [readable, reviewable, user, states, authors, text, size, start],
  });
  const items = rows.flatMap(({ total: _, id, ...row }) => (id === null ? [] : { ...row, id }));
  return { items, total: rows[0]?.total ?? 0 };
}

/** Number, authors and last date of the published comments on each of some objects. A change of a comment counts as a change of its object. */
export const commentFigures = (
  db: Queryable,
  oids: readonly number[],
): Promise<{ content: number; total: number; authors: string[]; last: Date }[]> =>
  db.query({
    name: 'comment-figures',
    text: `select content, count(*)::int as total, max(created) as last,
        coalesce(array_agg(distinct author) filter (where author is not null), '{}') as authors
      from comment where content = any($1::bigint[]) and review_state = 'published' group by content`,
    values: [oids],
    each: 'content',
  });
