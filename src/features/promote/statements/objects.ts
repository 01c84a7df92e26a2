import { contentSql, type Queryable } from '#core';

const OBJECTS = contentSql.viewed(
  'promoted-objects',
  (rule) => `select c.uid from content c join catalog k using (oid)
    where c.uid > $1 and ${rule.viewable('$2')} and ${contentSql.AT_OR_BELOW('c.path', '$3')}
      and ($4::text[] is null or c.type = any($4)) and not exists (
        select from working_copy w join content copy on copy.oid = w.copy
        where ${contentSql.AT_OR_BELOW('c.path', 'copy.path')})
    order by c.uid limit $5`,
);

/** Part of the objects at and below a path that those who ask may view, by their UIDs, behind the UID `after`. Working copies are left out. */
export async function objectsAfter(
  db: Queryable,
  { principals, rule }: contentSql.Viewers,
  { path, types, after, limit }: { path: string; types: readonly string[] | undefined; after: string; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ uid: string }>({
    ...OBJECTS(rule),
    values: [after, principals, path, types ?? null, limit],
  });
  return rows.map(({ uid }) => uid);
}

/** A child of a container with its place. */
export type Child = { oid: number; uid: string; position: number };

/** Children of a container in their order, up to `limit`. */
export const childrenOf = (db: Queryable, parent: number, limit: number): Promise<Child[]> =>
  db.query<Child>({
    name: 'promoted-children',
    text: 'select oid, uid, position from content where parent = $1 order by position, oid limit $2',
    values: [parent, limit],
  });

/** Up to `limit` UIDs of what lies below a path, by UID, behind the UID `after`. */
export async function uidsBelow(
  db: Queryable,
  { path, after, limit }: { path: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ uid: string }>({
    name: 'promoted-below',
    text: `select c.uid from content c where c.uid > $2 and c.path <> $1 and ${contentSql.AT_OR_BELOW('c.path', '$1')}
      order by c.uid limit $3`,
    values: [path, after, limit],
  });
  return rows.map(({ uid }) => uid);
}

/** Says if a group of translations has another object in a language. */
export async function hasTranslation(
  db: Queryable,
  { group, language, oid }: { group: string; language: string | null; oid: number },
): Promise<boolean> {
  const rows = await db.query({
    name: 'promoted-translation',
    text: 'select 1 from content where translation_group = $1 and language = $2 and oid <> $3',
    values: [group, language, oid],
  });
  return rows.length > 0;
}

/** UIDs of the other objects in a group of translations: there are no more than languages. */
export async function membersOf(db: Queryable, { group, oid }: { group: string; oid: number }): Promise<string[]> {
  const rows = await db.query<{ uid: string }>({
    name: 'promoted-translations',
    text: 'select uid from content where translation_group = $1 and oid <> $2 order by uid',
    values: [group, oid],
  });
  return rows.map(({ uid }) => uid);
}
