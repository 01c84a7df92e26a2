import type { Queryable } from '#core';

/** An object that was on the site before the import. */
export type PresentObject = { oid: number; uid: string; path: string; translationGroup: string | null };

const SELECT = 'select oid, uid, path, translation_group as "translationGroup" from content';

/** Returns the objects that have one of the UIDs. */
export const presentUids = (db: Queryable, uids: string[]): Promise<PresentObject[]> =>
  db.query<PresentObject>({ name: 'present-uids', text: `${SELECT} where uid = any($1)`, values: [uids] });

/** Returns the objects at the paths. */
export const presentPaths = (db: Queryable, paths: string[]): Promise<PresentObject[]> =>
  db.query<PresentObject>({ name: 'present-paths', text: `${SELECT} where path = any($1)`, values: [paths] });

/** Returns the languages of the members of groups of translations. */
export const groupLanguages = (
  db: Queryable,
  groups: string[],
): Promise<{ group: string; language: string | null }[]> =>
  db.query({
    name: 'group-languages',
    text: 'select translation_group as "group", language from content where translation_group = any($1)',
    values: [groups],
  });

/**
 * Returns for each of `parents` the last position of the children that were there before the import of `source` began:
 * those older than its first imported child. An interruption does not change it, whatever was added meanwhile.
 */
export async function lastPlacesBefore(db: Queryable, source: string, parents: number[]): Promise<Map<number, number>> {
  const rows = await db.query<{ parent: number; last: number }>({
    name: 'last-places-before',
    text: `with own as (
        select c.parent, min(c.oid) as first from import_progress p join content c on c.oid = p.content
        where p.source = $1 and c.parent = any($2) group by c.parent
      )
      select c.parent, max(c.position) as last from content c left join own using (parent)
      where c.parent = any($2) and (own.first is null or c.oid < own.first) group by c.parent`,
    values: [source, parents],
  });
  return new Map(rows.map(({ parent, last }) => [parent, last]));
}

/** True when neither a user nor an import has changed the root since the site was created. */
const UNTOUCHED = `c.parent is null and c.modified = c.created and not exists (select 1 from import_progress p where p.content = c.oid)`;

/** Returns whether the site root is untouched, and whether anything refers to it by its UID. */
export async function rootState(db: Queryable): Promise<{ untouched: boolean; referred: boolean }> {
  const [row] = await db.query<{ untouched: boolean; referred: boolean }>({
    text: `select ${UNTOUCHED} as untouched, exists (select 1 from reference r where r.target = c.uid) as referred
      from content c where c.parent is null`,
  });
  return row ?? { untouched: false, referred: false };
}
