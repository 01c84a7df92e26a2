import type { Queryable } from '../../../database/database.ts';
import { hasRows } from '../../../database/rows.ts';
import { AT_OR_BELOW } from '../../search/statements/fragments.ts';

/** The objects with numbers above `after` and up to `last`. */
export type ObjectWindow = { after: number; last: number };

/** The window of the next objects behind the number `after`; undefined at the end. */
export async function nextWindow(db: Queryable, after: number, limit: number): Promise<ObjectWindow | undefined> {
  const [row] = await db.query<{ last: number | null }>({
    name: 'check-window',
    text: 'select max(oid) as last from (select oid from content where oid > $1 order by oid limit $2) next',
    values: [after, limit],
    reads: true,
  });
  return row && row.last !== null ? { after, last: row.last } : undefined;
}

/** The path of `c` by its place in the container `p`. */
const WANTED = `case when p.path = '/' then '' else p.path end || '/' || c.name`;

/** An object whose path does not fit its place. */
export type Misplaced = { oid: number; path: string; wanted: string };

/** The objects of a window whose paths differ from their places. */
export const misplacedIn = (db: Queryable, { after, last }: ObjectWindow): Promise<Misplaced[]> =>
  db.query({
    name: 'check-paths',
    text: `select c.oid, c.path, ${WANTED} as wanted from content c join content p on p.oid = c.parent
      where c.oid > $1 and c.oid <= $2 and c.path <> ${WANTED} order by length(c.path), c.oid`,
    values: [after, last],
    reads: true,
  });

/** Says if the containers of an object lead to the root, and not into a circle. */
export const reachesRoot = (db: Queryable, oid: number): Promise<boolean> =>
  hasRows(db, {
    name: 'check-ancestors',
    text: `with recursive up (oid, parent) as (
        select oid, parent from content where oid = $1
        union select c.oid, c.parent from up join content c on c.oid = up.parent
      )
      select from up where parent is null`,
    values: [oid],
    reads: true,
  });

/**
 * Gives an object, and everything below its path, the path of its place. Returns both paths; undefined when the path is right or another object has
 * the new path.
 */
export async function mendPath(db: Queryable, oid: number): Promise<{ from: string; to: string } | undefined> {
  const [found] = await db.query<{ from: string; to: string }>({
    name: 'check-path-of',
    text: `select c.path as from, ${WANTED} as to from content c join content p on p.oid = c.parent
      where c.oid = $1 and c.path <> ${WANTED} and not exists (select from content other where other.path = ${WANTED})`,
    values: [oid],
  });
  if (!found) return undefined;
  await db.query({
    name: 'mend-path',
    text: `update content set path = $2 || substr(path, length($1) + 1) where ${AT_OR_BELOW('path', '$1')}`,
    values: [found.from, found.to],
  });
  return found;
}

/** Puts an object into the container at a path. Returns false without such a container that leads to the root. */
export async function mendParent(db: Queryable, oid: number, container: string): Promise<boolean> {
  const [found] = await db.query<{ oid: number }>({
    name: 'check-container',
    text: 'select oid from content where path = $1',
    values: [container],
  });
  if (!found || !(await reachesRoot(db, found.oid))) return false;
  await db.query({
    name: 'mend-parent',
    text: 'update content set parent = $2 where oid = $1',
    values: [oid, found.oid],
  });
  return true;
}

/** The objects of a window whose position in their container is not a comparable number. */
export const unplacedIn = (
  db: Queryable,
  { after, last }: ObjectWindow,
): Promise<{ oid: number; path: string; parent: number }[]> =>
  db.query({
    name: 'check-positions',
    text: `select oid, path, parent from content where oid > $1 and oid <= $2 and parent is not null
      and position in ('NaN', 'Infinity', '-Infinity') order by oid`,
    values: [after, last],
    reads: true,
  });

/** The objects of a window whose types are not among the given ones. */
export const strangersIn = (
  db: Queryable,
  { after, last }: ObjectWindow,
  types: readonly string[],
): Promise<{ path: string; type: string }[]> =>
  db.query({
    name: 'check-types',
    text: 'select path, type from content where oid > $1 and oid <= $2 and not type = any($3) order by oid',
    values: [after, last, types],
    reads: true,
  });

/** The old addresses of the objects of a window that content uses again. */
export const usedAddressesIn = (db: Queryable, { after, last }: ObjectWindow): Promise<{ path: string }[]> =>
  db.query({
    name: 'check-old-addresses',
    text: 'select r.path from redirect r join content c using (path) where c.oid > $1 and c.oid <= $2 order by r.path',
    values: [after, last],
    reads: true,
  });
