import { contentSql, type Queryable } from '#core';

/** Maximum number of types of blocks in one response. */
const MAX_TYPES = 1000;

/** The types of all blocks of the content `c`: blocks of its page, and blocks inside of other blocks, which are looked for where there may be some. */
const TYPES = `(
    select t #>> '{}' as type from jsonb_path_query(c.blocks::jsonb, '$.* ? (exists(@."@type"))."@type"') t
    union all
    select t #>> '{}' from jsonb_path_query(case when c.blocks::text like '%"blocks"%' then c.blocks::jsonb end,
      'strict $.** ? (exists(@.blocks)).blocks ? (@.type() == "object").* ? (exists(@."@type"))."@type"') t
  )`;

const COUNTS = contentSql.viewed(
  'count-block-types',
  (
    rule,
  ) => `select b.type, count(*)::int as count from content c join catalog k using (oid) cross join lateral ${TYPES} b
      where cardinality(k.block_types) > 0 and ${rule.viewable('$1')} group by b.type order by b.type limit ${MAX_TYPES}`,
);

/** The number of blocks of each type in the content that the viewers may view. */
export const countBlockTypes = (
  db: Queryable,
  { principals, rule }: contentSql.Viewers,
): Promise<{ type: string; count: number }[]> =>
  db.query({
    ...COUNTS(rule),
    values: [principals],
  });

const WITH_BLOCKS = contentSql.viewed(
  'content-with-blocks',
  (rule) => `select c.path, coalesce(c.fields->>'title', '') as title,
        (select count(*)::int from ${TYPES} b where b.type = $2) as count
      from content c join catalog k using (oid)
      where k.block_types @> array[$2::text] and ${rule.viewable('$1')} and ${contentSql.AT_OR_BELOW('c.path', '$3::text')}
      order by c.path limit $4 offset $5`,
);

/** The content at or below a path that has blocks of a type, with their number, in the order of the paths. */
export const contentWithBlocks = (
  db: Queryable,
  {
    principals,
    rule,
    type,
    path,
    start,
    size,
  }: contentSql.Viewers & { type: string; path: string; start: number; size: number },
): Promise<{ path: string; title: string; count: number }[]> =>
  db.query({
    ...WITH_BLOCKS(rule),
    values: [principals, type, path, size, start],
  });

/** The number of blocks of each type in each of the objects; those without blocks are left out. */
export const blockTypesOf = (
  db: Queryable,
  oids: readonly number[],
): Promise<{ oid: number; counts: Record<string, number> }[]> =>
  db.query({
    name: 'block-types-of',
    text: `select found.oid, jsonb_object_agg(found.type, found.count) as counts from (
        select c.oid, b.type, count(*)::int as count from content c join catalog k using (oid) cross join lateral ${TYPES} b
        where c.oid = any($1) and cardinality(k.block_types) > 0 group by c.oid, b.type) found group by found.oid`,
    values: [oids],
    each: 'oid',
  });
