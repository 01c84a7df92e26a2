import { contentSql, type Queryable } from '#core';

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

/** The scope of a feed: the content below `path` that the viewers may view; with `inactive` also content outside its dates of publication. */
export type FeedScope = contentSql.Viewers & { path: string; inactive: boolean };

const COLUMNS = `c.uid, c.path, c.type, c.created, c.modified, c.effective,
  coalesce(c.fields->>'title', '') as title, coalesce(c.fields->>'description', '') as description`;

const visible = (rule: contentSql.ViewRule): string => `from content c join catalog k using (oid)
  where c.path > $1 and c.path < $2 and ${rule.visibleNow('$3', '$4')}`;

const ROWS = contentSql.viewed('feed-rows', (rule) => `select ${COLUMNS} ${visible(rule)} order by c.path limit $5`);
const EVENTS = contentSql.viewed(
  'feed-events',
  (rule) => `select ${COLUMNS}, c.fields ${visible(rule)} and c.type = any($6) order by c.path limit $5`,
);
const MODIFIED = contentSql.viewed('feed-modified', (rule) => `select max(c.modified) as newest ${visible(rule)}`);

/** The paths below a container are those between these two, exclusively; `0` is the character behind the slash. */
function bounds(path: string): { first: string; last: string } {
  const prefix = path === '/' ? '' : path;
  return { first: `${prefix}/`, last: `${prefix}0` };
}

/**
 * The next objects of a feed in the order of their paths: objects after the path `after`, or the first ones. Each batch is one range of the index on
 * paths, however many came before it.
 */
export function feedRows(
  db: Queryable,
  { path, principals, rule, inactive }: FeedScope,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<FeedRow[]> {
  const { first, last } = bounds(path);
  return db.query<FeedRow>({
    ...ROWS(rule),
    values: [after ?? first, last, principals, inactive, limit],
  });
}

/** An address of a sitemap. */
export type SitemapRow = { path: string; modified: Date };

const mapped = (rule: contentSql.ViewRule): string =>
  `from content c join catalog k using (oid) where ${rule.visibleNow('$1')} and c.type = any($2)`;
const MAP = contentSql.viewed(
  'sitemap-rows',
  (rule) => `select c.path, c.modified ${mapped(rule)} order by c.path limit $3 offset $4`,
);
const MAP_COUNT = contentSql.viewed('sitemap-count', (rule) => `select count(*)::int as count ${mapped(rule)}`);

/** The content of the named types that the viewers may view now, in the order of paths. */
export const sitemapRows = (
  db: Queryable,
  { principals, rule, types, limit, offset }: contentSql.Viewers & { types: string[]; limit: number; offset: number },
): Promise<SitemapRow[]> =>
  db.query<SitemapRow>({
    ...MAP(rule),
    values: [principals, types, limit, offset],
  });

/** Counts the content that `sitemapRows` selects. */
export async function sitemapCount(
  db: Queryable,
  { principals, rule }: contentSql.Viewers,
  types: string[],
): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    ...MAP_COUNT(rule),
    values: [principals, types],
  });
  return row?.count ?? 0;
}

/** Like `feedRows`, but only objects of the named types, with their fields. */
export function feedEvents(
  db: Queryable,
  { path, principals, rule, inactive }: FeedScope,
  { after, limit, types }: { after: string | undefined; limit: number; types: string[] },
): Promise<EventRow[]> {
  const { first, last } = bounds(path);
  return db.query<EventRow>({
    ...EVENTS(rule),
    values: [after ?? first, last, principals, inactive, limit, types],
  });
}

/** The time of the last change of content in the feed; null for an empty one. */
export async function feedModified(
  db: Queryable,
  { path, principals, rule, inactive }: FeedScope,
): Promise<Date | null> {
  const { first, last } = bounds(path);
  const [row] = await db.query<{ newest: Date | null }>({
    ...MODIFIED(rule),
    values: [first, last, principals, inactive],
  });
  return row?.newest ?? null;
}
