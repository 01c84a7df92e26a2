import type { Queryable } from '../database.ts';

/** The unique index that keeps a group of translations to one object in each language. */
export const TRANSLATION_INDEX = 'content_translation';

/** A member of a group of translations. */
export type GroupMember = { oid: number; uid: string; path: string; language: string };

/** All members of a group, seen or not, by language. There are no more than languages. */
export const groupMembers = (db: Queryable, group: string): Promise<GroupMember[]> =>
  db.query<GroupMember>({
    name: 'translation-group-members',
    text: `select oid, uid, path, language from content where translation_group = $1 and language is not null order by language`,
    values: [group],
  });
