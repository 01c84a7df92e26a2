import type { Queryable } from '../../storage/database.ts';
import { VIEWABLE, VISIBLE_NOW } from '../../storage/statements/fragments.ts';

/** A member of a group of translations. */
export type GroupMember = { oid: number; uid: string; path: string; language: string };

/** All members of a group, seen or not, by language. There are no more than languages. */
export const groupMembers = (db: Queryable, group: string): Promise<GroupMember[]> =>
  db.query<GroupMember>({
    name: 'translation-group-members',
    text: `select oid, uid, path, language from content where translation_group = $1 and language is not null order by language`,
    values: [group],
  });

/** A translation of an object, or (`isRoot`) the object where the content of a language begins. */
type TranslationRow = { path: string; type: string; language: string | null; isRoot: boolean };

/**
 * Translations of an object and the objects at `roots`, as far as someone with `principals` may view them. Without
 * `inactive`, translations before `effective` or after `expires` are left out.
 */
export const translationRows = (
  db: Queryable,
  {
    oid,
    group,
    roots,
    principals,
    inactive,
  }: {
    oid: number;
    group: string | null;
    roots: readonly string[];
    principals: readonly string[];
    inactive: boolean;
  },
): Promise<TranslationRow[]> =>
  db.query<TranslationRow>({
    name: 'nav-translations',
    text: `select c.path, c.type, c.language, false as "isRoot" from content c join catalog k using (oid)
        where c.translation_group = $1 and c.oid <> $2 and c.language is not null
          and ${VISIBLE_NOW('$4', '$5')}
      union all
      select c.path, c.type, c.language, true from content c join catalog k using (oid) where c.path = any($3) and ${VIEWABLE('$4')}
      order by language, path`,
    values: [group, oid, roots, principals, inactive],
  });

/** The translation of the container `oid`. */
type TranslatedStep = { oid: number; path: string; type: string };

/** Translations of the objects `oids` into a language, as far as someone with `principals` may view them. */
export const translationsInto = (
  db: Queryable,
  {
    oids,
    language,
    principals,
    inactive,
  }: { oids: readonly number[]; language: string; principals: readonly string[]; inactive: boolean },
): Promise<TranslatedStep[]> =>
  db.query<TranslatedStep>({
    name: 'translations-into',
    text: `select o.oid, c.path, c.type from content o join content c on c.translation_group = o.translation_group
        join catalog k on k.oid = c.oid
      where o.oid = any($1) and o.translation_group is not null and c.language = $2 and ${VISIBLE_NOW('$3', '$4')}`,
    values: [oids, language, principals, inactive],
  });

/** What lies at some paths, as far as it tells a language root from other content. */
export const rootsAt = (
  db: Queryable,
  paths: readonly string[],
): Promise<{ path: string; type: string; language: string | null }[]> =>
  db.query({
    name: 'language-roots-at',
    text: 'select path, type, language from content where path = any($1) order by path',
    values: [paths],
  });

/** What lies in the site root but the folders at `roots`: so many at most, in their order. */
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
