import { type CacheTags, cacheTagsOf, contentPath, contentSql, type Queryable } from '#core';

/** A member of a group of translations. */
export type GroupMember = { oid: number; uid: string; path: string; language: string };

/** All members of a group, visible or not, by language, at most one for each language. */
export const groupMembers = (db: Queryable, group: string): Promise<GroupMember[]> =>
  db.query<GroupMember>({
    name: 'translation-group-members',
    text: `select oid, uid, path, language from content where translation_group = $1 and language is not null order by language`,
    values: [group],
  });

/** A translation of an object, or (`isRoot`) the object where the content of a language begins. */
type TranslationRow = { path: string; type: string } & (
  | { language: string; isRoot: false }
  | { language: string | null; isRoot: true }
);

/** A row of the statement; `isShown` says if the viewers see it. */
type GroupRow = TranslationRow & { oid: number; isShown: boolean | null };

const isSite = ({ isRoot, path }: Readonly<Record<string, unknown>>): boolean =>
  isRoot === true && path === contentPath.ROOT;

/**
 * A response depends on all members of the group, visible or not, and on the objects at the roots. A missing root may be created as a child of the
 * site root. A new member of a group counts as a change of anything.
 */
function tagsOfGroup(rows: readonly Readonly<Record<string, unknown>>[], roots: number): CacheTags {
  const site = rows.find(isSite);
  const isMissing = rows.filter(({ isRoot }) => isRoot).length <= roots;
  return (
    site &&
    cacheTagsOf(
      rows.filter((row) => row !== site).map(({ oid }) => oid),
      isMissing ? [site.oid] : [],
    )
  );
}

const TRANSLATIONS = contentSql.viewed(
  'nav-translations',
  (rule) => `select c.oid, c.path, c.type, c.language, false as "isRoot", ${rule.visibleNow('$4', '$5')} as "isShown"
        from content c left join catalog k on k.oid = c.oid
        where c.translation_group = $1 and c.oid <> $2 and c.language is not null
      union all
      select c.oid, c.path, c.type, c.language, true, ${rule.viewable('$4')} from content c left join catalog k on k.oid = c.oid where c.path = any($3)
      order by language, path`,
);

/**
 * Translations of an object and the objects at `roots`, which are children of the site root, as far as the viewers may view them. Without `inactive`, translations before `effective` or after `expires` are left out.
 */
export async function translationRows(
  db: Queryable,
  {
    oid,
    group,
    roots,
    principals,
    rule,
    inactive,
  }: contentSql.Viewers & {
    oid: number;
    group: string | null;
    roots: readonly string[];
    inactive: boolean;
  },
): Promise<TranslationRow[]> {
  const rows = await db.query<GroupRow>({
    ...TRANSLATIONS(rule),
    values: [group, oid, [contentPath.ROOT, ...roots], principals, inactive],
    tags: (found) => tagsOfGroup(found, roots.length),
  });
  return rows.filter((row) => row.isShown && !isSite(row));
}

/** The translation of the container `oid`. */
type TranslatedStep = { oid: number; path: string; type: string };

const INTO = contentSql.viewed(
  'translations-into',
  (rule) => `select o.oid, c.path, c.type from content o join content c on c.translation_group = o.translation_group
        join catalog k on k.oid = c.oid
      where o.oid = any($1) and o.translation_group is not null and c.language = $2 and ${rule.visibleNow('$3', '$4')}`,
);

/** Translations of the objects `oids` into a language, as far as the viewers may view them. */
export const translationsInto = (
  db: Queryable,
  {
    oids,
    language,
    principals,
    rule,
    inactive,
  }: contentSql.Viewers & { oids: readonly number[]; language: string; inactive: boolean },
): Promise<TranslatedStep[]> =>
  db.query<TranslatedStep>({
    ...INTO(rule),
    values: [oids, language, principals, inactive],
  });

/** Loads the content at some paths with the columns that distinguish a language root. */
export const rootsAt = (
  db: Queryable,
  paths: readonly string[],
): Promise<{ path: string; type: string; language: string | null }[]> =>
  db.query({
    name: 'language-roots-at',
    text: 'select path, type, language from content where path = any($1) order by path',
    values: [paths],
  });

/** Loads content in the site root except the folders at `roots`: at most `limit` objects, in their order. */
export const rootContent = (
  db: Queryable,
  { roots, limit }: { roots: readonly string[]; limit: number },
): Promise<{ uid: string; language: string | null }[]> =>
  db.query({
    name: 'root-content',
    text: `select c.uid, c.language from content c join content r on r.oid = c.parent
      where r.path = '/' and c.path <> all($1) order by c.position, c.oid limit $2`,
    values: [roots, limit],
  });

/**
 * Content in another language than the place that it is in. `isTaken` says that its group of translations has content in the language of the place.
 */
type Misplaced = { oid: number; path: string; language: string; translationGroup: string | null; isTaken: boolean };

/** Content at or below a path in other languages than this one, containers before their content. */
export const contentInOtherLanguages = (
  db: Queryable,
  { path, language, limit }: { path: string; language: string; limit: number },
): Promise<Misplaced[]> =>
  db.query<Misplaced>({
    name: 'content-in-other-languages',
    text: `select c.oid, c.path, c.language, c.translation_group as "translationGroup", exists (
        select from content o where o.translation_group = c.translation_group and o.language = $2) as "isTaken"
      from content c where ${contentSql.AT_OR_BELOW('c.path', '$1')} and c.language is not null and c.language <> $2
      order by c.path limit $3`,
    values: [path, language, limit],
  });
