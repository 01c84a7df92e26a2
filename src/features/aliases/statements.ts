import { type Queryable, VIEWABLE } from '#core';

/** An alias in a list. `target` is a path of the site or an address elsewhere. */
export type AliasRow = { path: string; target: string; manual: boolean; created: Date };

/** Selects aliases; null means any. Only aliases of targets that the `principals` may view are listed. */
export type AliasFilter = {
  target: number | null;
  principals: readonly string[];
  /** The beginning of the path. */
  prefix: string | null;
  /** A part of the path, in any case. */
  part: string | null;
  manual: boolean | null;
  /** Created at this time or later. */
  start: Date | null;
  /** Created before this time. */
  end: Date | null;
};

const FROM = `from redirect r left join content c on c.oid = r.target left join catalog k on k.oid = r.target
  where ($1::bigint is null or r.target = $1) and (r.target is null or ${VIEWABLE('$2')})
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

/** A batch of the aliases, ordered by path; `after` is the path behind which it begins, null for the first one. */
export const listAliases = (
  db: Queryable,
  filter: AliasFilter,
  { after, offset, limit }: { after: string | null; offset: number; limit: number },
): Promise<AliasRow[]> =>
  db.query<AliasRow>({
    name: 'list-aliases',
    text: `select r.path, coalesce(c.path, r.target_url) as target, r.manual, r.created ${FROM}
      and ($8::text is null or r.path > $8) order by r.path offset $9 limit $10`,
    values: [...valuesOf(filter), after, offset, limit],
  });

/** The number of aliases that the filter selects. */
export async function countAliases(db: Queryable, filter: AliasFilter): Promise<number> {
  const rows = await db.query<{ total: number }>({
    name: 'count-aliases',
    text: `select count(*) as total ${FROM}`,
    values: valuesOf(filter),
  });
  return rows[0]?.total ?? 0;
}

/** A new alias. Its target is an object, or an address elsewhere. */
export type NewAlias = {
  path: string;
  target: number | null;
  targetUrl: string | null;
  manual: boolean;
  created: Date;
};

/** Inserts the aliases whose paths are not taken. Returns the paths of the inserted ones. */
export async function insertAliases(db: Queryable, aliases: readonly NewAlias[]): Promise<Set<string>> {
  const rows = await db.query<{ path: string }>({
    name: 'insert-aliases',
    text: `insert into redirect (path, target, target_url, manual, created)
      select * from unnest($1::text[], $2::bigint[], $3::text[], $4::boolean[], $5::timestamptz[])
      on conflict do nothing returning path`,
    values: [
      aliases.map(({ path }) => path),
      aliases.map(({ target }) => target),
      aliases.map(({ targetUrl }) => targetUrl),
      aliases.map(({ manual }) => manual),
      aliases.map(({ created }) => created),
    ],
  });
  return new Set(rows.map(({ path }) => path));
}

/** Returns those of `paths` at which there is content. */
export async function findUsedPaths(db: Queryable, paths: string[]): Promise<Set<string>> {
  const rows = await db.query<{ path: string }>({
    name: 'paths-in-use',
    text: 'select path from content where path = any($1)',
    values: [paths],
  });
  return new Set(rows.map(({ path }) => path));
}

/** The content at `paths` that the `principals` may view, oids by path. It cannot be removed before the transaction ends. */
export async function lockAliasTargets(
  db: Queryable,
  paths: string[],
  principals: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ path: string; oid: number }>({
    name: 'alias-targets',
    text: `select c.path, c.oid from content c join catalog k using (oid) where c.path = any($1) and ${VIEWABLE('$2')}
      order by length(c.path), c.path for key share of c`,
    values: [paths, principals],
  });
  return new Map(rows.map(({ path, oid }) => [path, oid]));
}

/** Removes aliases; with a `target` only those that lead to it. Returns the paths of the removed ones. */
export async function removeAliases(db: Queryable, paths: string[], target: number | null): Promise<Set<string>> {
  const rows = await db.query<{ path: string }>({
    name: 'remove-aliases',
    text: 'delete from redirect where path = any($1) and ($2::bigint is null or target = $2) returning path',
    values: [paths, target],
  });
  return new Set(rows.map(({ path }) => path));
}
