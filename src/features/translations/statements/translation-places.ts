import type { Queryable } from '../../../storage/database.ts';
import { VISIBLE_NOW } from '../../../storage/statements/visible-now.ts';

/** The translation of an object on a way through the tree. */
export type TranslatedStep = { oid: number; path: string; type: string };

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
