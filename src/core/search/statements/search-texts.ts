import type { Queryable } from '../../../database/database.ts';
import { FILES_KEY } from '../../files/statements/file-texts.ts';
import { ALL_FIELDS } from './fragments.ts';

/** Fields of an object whose words may be shown. */
export type SearchedFields = { oid: number; type: string; fields: Record<string, unknown>; fileText: string | null };

/** Maximum number of characters of the text of a file that may be shown. */
const MAX_FILE_LENGTH = 100_000;

/** The fields of found objects that still exist. */
export const searchedFields = (db: Queryable, oids: readonly number[]): Promise<SearchedFields[]> =>
  db.query<SearchedFields>({
    name: 'searched-fields',
    text: `select c.oid, c.type, ${ALL_FIELDS}, (
        select string_agg(left(t.text, ${MAX_FILE_LENGTH}), ' ') from jsonb_array_elements_text(k.custom->'${FILES_KEY}') f(hash)
        join file_text t on t.hash = decode(f.hash, 'hex')
      ) as "fileText"
      from unnest($1::bigint[]) with ordinality found(oid, place) join content c on c.oid = found.oid join catalog k on k.oid = c.oid
      order by found.place`,
    values: [oids],
  });

/** The `forms` that have the same stem as one of the `words` in one of the text search configurations. */
export async function sameStems(
  db: Queryable,
  { words, forms, stemmers }: { words: readonly string[]; forms: readonly string[]; stemmers: readonly string[] },
): Promise<string[]> {
  const rows = await db.query<{ form: string }>({
    name: 'same-stems',
    text: `with wanted as (
        select s.stemmer, array(select distinct l from unnest($1::text[]) w, unnest(tsvector_to_array(to_tsvector(s.stemmer::regconfig, w))) l) as stems
        from unnest($3::text[]) s(stemmer)
      )
      select distinct f.form from unnest($2::text[]) f(form) cross join wanted
      where tsvector_to_array(to_tsvector(wanted.stemmer::regconfig, f.form)) && wanted.stems`,
    values: [words, forms, stemmers],
  });
  return rows.map(({ form }) => form);
}
