import { INDEX_FIELDS, type Queryable, VISIBLE_NOW } from '#core';

/** The data of one object in a feed or calendar. */
export type FeedRow = {
  uid: string;
  path: string;
  type: string;
  title: string;
  description: string;
  created: Date;
  modified: Date;
  effective: Date | null;
};

/** An object of a calendar: its fields without blocks and rich text. */
export type EventRow = FeedRow & { fields: Record<string, unknown> };

/** Who reads a feed of what: everything below `path` that `principals` may view; with `inactive` also before and after its dates. */
export type FeedScope = { path: string; principals: string[]; inactive: boolean };

const COLUMNS = `c.uid, c.path, c.type, c.created, c.modified, c.effective,
  coalesce(c.fields->>'title', '') as title, coalesce(c.fields->>'description', '') as description`;

const VISIBLE = `from content c join catalog k using (oid)
  where c.path > $1 and c.path < $2 and ${VISIBLE_NOW('$3', '$4')}`;

const PAGE = `${VISIBLE} order by c.path limit $5`;
const EVENT_PAGE = `${VISIBLE} and c.type = any($6) order by c.path limit $5`;

/** The paths below a container are those between these two, exclusively; `0` is the character behind the slash. */
function bounds(path: string): { first: string; last: string } {
  const prefix = path === '/' ? '' : path;
  return { first: `${prefix}/`, last: `${prefix}0` };
}

/**
 * The next objects of a feed in the order of their paths: those behind the path `after`, or the first ones. Each batch
 * is one range of the index on paths, however many came before it.
 */
export function feedRows(
  db: Queryable,
  { path, principals, inactive }: FeedScope,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<FeedRow[]> {
  const { first, last } = bounds(path);
  return db.query<FeedRow>({
    name: 'feed-rows',
    text: `select ${COLUMNS} ${PAGE}`,
    values: [after ?? first, last, principals, inactive, limit],
  });
}

/** An address of a sitemap. */
export type SitemapRow = { path: string; modified: Date };

const MAPPED = `from content c join catalog k using (oid) where ${VISIBLE_NOW('$1')} and c.type = any($2)`;

/** Rows of the objects of the named types that `principals` may view now, in the order of paths. */
export const sitemapRows = (
  db: Queryable,
  { principals, types, limit, offset }: { principals: string[]; types: string[]; limit: number; offset: number },
): Promise<SitemapRow[]> =>
  db.query<SitemapRow>({
    name: 'sitemap-rows',
    text: `select c.path, c.modified ${MAPPED} order by c.path limit $3 offset $4`,
    values: [principals, types, limit, offset],
  });

/** The number of all these rows. */
export async function sitemapCount(db: Queryable, principals: string[], types: string[]): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    name: 'sitemap-count',
    text: `select count(*)::int as count ${MAPPED}`,
    values: [principals, types],
  });
  return row?.count ?? 0;
}

/** Like `feedRows`, the objects of the named types only, with their fields. */
export function feedEvents(
  db: Queryable,
  { path, principals, inactive }: FeedScope,
  { after, limit, types }: { after: string | undefined; limit: number; types: string[] },
): Promise<EventRow[]> {
  const { first, last } = bounds(path);
  return db.query<EventRow>({
    name: 'feed-events',
    text: `select ${COLUMNS}, ${INDEX_FIELDS} as fields ${EVENT_PAGE}`,
    values: [after ?? first, last, principals, inactive, limit, types],
  });
}

/** When something in the feed was last changed; null for an empty one. */
export async function feedModified(db: Queryable, { path, principals, inactive }: FeedScope): Promise<Date | null> {
  const { first, last } = bounds(path);
  const [row] = await db.query<{ newest: Date | null }>({
    name: 'feed-modified',
    text: `select max(c.modified) as newest ${VISIBLE}`,
    values: [first, last, principals, inactive],
  });
  return row?.newest ?? null;
}
