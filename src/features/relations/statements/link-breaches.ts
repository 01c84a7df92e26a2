import type { Queryable } from '../../../storage/database.ts';
import type { TargetRow } from '../../../storage/statements/find-targets.ts';
import { LISTED_COLUMNS } from '../../../storage/statements/nav-columns.ts';
import { VIEWABLE } from '../../../storage/statements/visible-now.ts';

/** Everything below `path` is between these two: names begin behind the slash. The root's path is the slash alone. */
const below = (column: string, path: string): string =>
  `${column} > rtrim(${path}, '/') || '/' and ${column} < rtrim(${path}, '/') || '0'`;

/** An object that is to go, and how many objects below it the caller may view. */
export type EndangeredRow = TargetRow & { below: number };

/** The objects with the given UIDs that `principals` may view, in the order of the UIDs. */
export const linkTargets = (db: Queryable, uids: string[], principals: readonly string[]): Promise<EndangeredRow[]> =>
  db.query<EndangeredRow>({
    name: 'link-targets',
    text: `select ${LISTED_COLUMNS}, k.allowed,
        (select count(*)::int from content d join catalog v using (oid) where ${below('d.path', 'c.path')} and ${VIEWABLE('$2', 'v')}) as below
      from content c join catalog k using (oid) where c.uid = any($1) and ${VIEWABLE('$2')}
      order by array_position($1::text[], c.uid)`,
    values: [uids, principals],
  });

/** A reference that would break: `target` is the UID of the asked object at or below which it leads. */
export type BreachRow = { target: string; uid: string; path: string; title: string };

/**
 * The objects that refer to the given ones or to something below them, and are not themselves at or below one of them.
 * Only those that `principals` may view; at most `limit` for each, in the order of their paths.
 */
export const linkBreaches = (
  db: Queryable,
  { uids, principals, limit }: { uids: string[]; principals: readonly string[]; limit: number },
): Promise<BreachRow[]> =>
  db.query<BreachRow>({
    name: 'link-breaches',
    text: `with asked as materialized (select oid, uid, path from content where uid = any($1)),
      going as (
        select uid as target, uid from asked
        union all select a.uid, d.uid from asked a join content d on ${below('d.path', 'a.path')}
      ), found as (
        select distinct g.target, s.uid, s.path, coalesce(s.fields->>'title', '') as title
        from going g join reference r on r.target = g.uid join content s on s.oid = r.source join catalog k on k.oid = s.oid
        where ${VIEWABLE('$2')}
          and not exists (select 1 from asked a where s.path = a.path or (${below('s.path', 'a.path')}))
      )
      select target, uid, path, title
      from (select found.*, row_number() over (partition by target order by path) as number from found) numbered
      where number <= $3 order by target, path`,
    values: [uids, principals, limit],
  });
