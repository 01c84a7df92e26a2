import type { Queryable } from '#core';

/** Where an object of an earlier import is now. `parent` is the UID of its container, null for the root. */
export type PresentPlace = { oid: number; uid: string; path: string; name: string; parent: string | null };

/** Returns where the objects with these UIDs are. Those that are gone are missing. */
export const presentPlaces = (db: Queryable, uids: readonly string[]): Promise<PresentPlace[]> =>
  db.query<PresentPlace>({
    name: 'present-places',
    text: `select c.oid, c.uid, c.path, c.name, p.uid as parent from content c left join content p on p.oid = c.parent
      where c.uid = any($1)`,
    values: [uids],
  });

/** Returns where the site root is. */
export async function rootPlace(db: Queryable): Promise<PresentPlace> {
  const [row] = await db.query<PresentPlace>({
    name: 'root-place',
    text: 'select oid, uid, path, name, null as parent from content where parent is null',
  });
  if (!row) throw new Error('The site has no root');
  return row;
}

/** Returns the child of a container with a name. */
export async function childNamed(
  db: Queryable,
  parent: number,
  name: string,
): Promise<{ oid: number; uid: string } | undefined> {
  const [row] = await db.query<{ oid: number; uid: string }>({
    name: 'child-named',
    text: 'select oid, uid from content where parent = $1 and name = $2',
    values: [parent, name],
  });
  return row;
}

/** Returns the UIDs of what is below a path, those with numbers above `after`. */
export const uidsBelow = (
  db: Queryable,
  path: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ oid: number; uid: string; path: string }[]> =>
  db.query({
    name: 'uids-below',
    text: `select oid, uid, path from content where path > $1 || '/' and path < $1 || '0' and oid > $2 order by oid limit $3`,
    values: [path, after, limit],
  });

/** Returns the position behind the last child of a container. */
export async function nextPosition(db: Queryable, parent: number): Promise<number> {
  const [row] = await db.query<{ next: number }>({
    name: 'next-position',
    text: 'select floor(coalesce(max(position), 0)) + 1 as next from content where parent = $1',
    values: [parent],
  });
  return row?.next ?? 1;
}

/** Returns the children of a container in their order. */
export const orderOf = (db: Queryable, parent: number): Promise<{ oid: number; uid: string; position: number }[]> =>
  db.query({
    name: 'order-of-children',
    text: 'select oid, uid, position from content where parent = $1 order by position, oid',
    values: [parent],
  });

/** Says if a group of translations has an object in a language, other than `oid`. */
export async function hasTranslation(
  db: Queryable,
  { group, language, oid }: { group: string; language: string | null; oid: number },
): Promise<boolean> {
  const rows = await db.query({
    name: 'has-translation',
    text: 'select 1 from content where translation_group = $1 and language = $2 and oid <> $3',
    values: [group, language, oid],
  });
  return rows.length > 0;
}

/** An old address of the site: the path and the UID of the object that it leads to, or another address. */
export type PresentRedirect = { path: string; target: string | null; uid: string | null; targetUrl: string | null };

/** Returns the old addresses among some paths. */
export const redirectsAt = (db: Queryable, paths: readonly string[]): Promise<PresentRedirect[]> =>
  db.query<PresentRedirect>({
    name: 'redirects-at',
    text: `select r.path, c.path as target, c.uid, r.target_url as "targetUrl"
      from redirect r left join content c on c.oid = r.target where r.path = any($1)`,
    values: [paths],
  });

/** A comment of the site, as far as imports compare it. */
export type PresentComment = { id: string; body: string; hasReplies: boolean };

/** Returns the comments with these ids. */
export const presentComments = (db: Queryable, ids: readonly string[]): Promise<PresentComment[]> =>
  db.query<PresentComment>({
    name: 'present-comments',
    text: `select c.id, c.body, exists (select from comment r where r.in_reply_to = c.id) as "hasReplies"
      from comment c where c.id = any($1)`,
    values: [ids],
  });
