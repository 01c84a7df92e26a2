import { contentSql, type Queryable } from '#core';

/** An alias in a list. `target` is a path of the site or an address elsewhere. */
export type AliasRow = { path: string; target: string; manual: boolean; created: Date };

/** Selects aliases; null means any. Only aliases of targets that the viewers may view are listed. */
export type AliasFilter = contentSql.Viewers & {
  target: number | null;
  /** Beginning of the path. */
  prefix: string | null;
  /** A part of the path, in any case. */
  part: string | null;
  manual: boolean | null;
  /** Created at this time or later. */
  start: Date | null;
  /** Created before this time. */
  end: Date | null;
};

const from = (
  rule: contentSql.ViewRule,
): string => `from redirect r left join content c on c.oid = r.target left join catalog k on k.oid = r.target
  where ($1::bigint is null or r.target = $1) and (r.target is null or ${rule.viewable('$2')})
    and ($3::text is null or starts_with(r.path, $3)) and ($4::text is null or strpos(lower(r.path), lower($4)) > 0)
    and ($5::boolean is null or r.manual = $5)
    and ($6::timestamptz is null or r.created >= $6) and ($7::timestamptz is null or r.created < $7)`;

const valuesOf = ({ target, principals, prefix, part, manual, start, end }: AliasFilter): unknown[] => [
  target,
  principals,
  prefix,
  part,
  manual,
  start,
  end,
];

const LIST = contentSql.viewed(
  'list-aliases',
  (rule) => `select r.path, coalesce(c.path, r.target_url) as target, r.manual, r.created ${from(rule)}
      and ($8::text is null or r.path > $8) order by r.path offset $9 limit $10`,
);

/** A batch of the aliases, ordered by path; The batch begins behind the path `after`, or at the first alias for null. */
export const listAliases = (
  db: Queryable,
  filter: AliasFilter,
  { after, offset, limit }: { after: string | null; offset: number; limit: number },
): Promise<AliasRow[]> =>
  db.query<AliasRow>({
    ...LIST(filter.rule),
    values: [...valuesOf(filter), after, offset, limit],
  });

const COUNT = contentSql.viewed('count-aliases', (rule) => `select count(*) as total ${from(rule)}`);

/** The number of aliases that the filter selects. */
export async function countAliases(db: Queryable, filter: AliasFilter): Promise<number> {
  const rows = await db.query<{ total: number }>({
    ...COUNT(filter.rule),
    values: valuesOf(filter),
  });
  return rows[0]?.total ?? 0;
}

/** Returns the paths at which there is content. */
export async function findUsedPaths(db: Queryable, paths: string[]): Promise<Set<string>> {
  const rows = await db.query<{ path: string }>({
    name: 'paths-in-use',
    text: 'select path from content where path = any($1)',
    values: [paths],
  });
  return new Set(rows.map(({ path }) => path));
}

const TARGETS = contentSql.viewed(
  'alias-targets',
  (
    rule,
  ) => `select c.path, c.oid from content c join catalog k using (oid) where c.path = any($1) and ${rule.viewable('$2')}
      order by length(c.path), c.path for key share of c`,
);

/** The content at `paths` that the viewers may view, oids by path. The content cannot be removed before the transaction ends. */
export async function lockAliasTargets(
  db: Queryable,
  paths: string[],
  { principals, rule }: contentSql.Viewers,
): Promise<Map<string, number>> {
  const rows = await db.query<{ path: string; oid: number }>({
    ...TARGETS(rule),
    values: [paths, principals],
  });
  return new Map(rows.map(({ path, oid }) => [path, oid]));
}
