import type { Queryable } from '../../../database/database.ts';
import { firstRow } from '../../../database/rows.ts';
import { ENQUEUE_JOB_ONCE } from '../../queue/statements/jobs.ts';

/** The name of the job action that reads the texts of new files. */
export const EXTRACT_TEXTS = 'extract-texts';

/** The name under which the catalog stores the hashes of the searched files of an object. No index has this name. */
export const FILES_KEY = '=files';

/** Maximum number of attempts at a file that has ended the server. */
const MAX_ATTEMPTS = 3;

/** Maximum bytes of the tsvector of an object with the words of its files; a tsvector has at most one megabyte. */
const MAX_VECTOR_BYTES = 1_000_000;

/** The known words of the files of a row `n` of the catalog; null for none. */
const KNOWN_WORDS = `(select string_agg(t.words, ' ')::tsvector || case n.stemmer when 'simple'::regconfig then ''::tsvector
    else setweight(to_tsvector(n.stemmer, string_agg(t.stems, ' ')), 'D') end
  from jsonb_to_recordset(n.files) f(hash text) join known t on t.hash = decode(f.hash, 'hex') where t.words is not null)`;

/** Joins to rows `n` of the catalog their `own` words together with the words of their files, as `vector.searchable`. */
export const WITH_FILE_WORDS = (
  own: string,
): string => `cross join lateral (select ${own} as own, ${KNOWN_WORDS} as files offset 0) words
  cross join lateral (select case when words.files is null or pg_column_size(words.own) + pg_column_size(words.files) > ${MAX_VECTOR_BYTES}
    then words.own else words.own || words.files end as searchable) vector`;

/** The known texts of the files of rows `n`, as `known`. */
export function knownFiles(lock = ''): string {
  return `known as materialized (
    select t.hash, t.words, t.stems from file_text t where t.hash in (
      select decode(f.hash, 'hex') from n cross join lateral jsonb_to_recordset(n.files) f(hash text)
    ) ${lock}
  )`;
}

/**
 * Records the unknown files of rows `n` for extraction: by a waiting job, which cannot begin before this transaction ends, or by a
 * new one. Locks the known texts of the other files: a text cannot be saved between this statement and the end of the transaction.
 * The job that saves it then finds all objects that lack it.
 */
export const NOTE_FILES = `${knownFiles('for share of t')}, noted as (
    insert into file_text (hash, format)
    select distinct on (1) decode(f.hash, 'hex'), f.format from n cross join lateral jsonb_to_recordset(n.files) f(hash text, format text)
    on conflict (hash) do nothing returning 1
  ), ${ENQUEUE_JOB_ONCE(EXTRACT_TEXTS, 'Extract texts of files', 'exists (select from noted)')}`;

/** The next file to read; undefined when none is left. A file that has ended the server several times is given up. */
export const takeFile = (db: Queryable): Promise<{ hash: string; format: string } | undefined> =>
  firstRow<{ hash: string; format: string }>(db, {
    name: 'take-file-text',
    text: `with lost as (
        update file_text set state = 'failed', reason = 'The server ended while it was read.'
        where state = 'waiting' and attempts >= ${MAX_ATTEMPTS}
      )
      update file_text set attempts = attempts + 1
      where hash = (select hash from file_text where state = 'waiting' and attempts < ${MAX_ATTEMPTS} order by attempts, noted limit 1)
      returning encode(hash, 'hex') as hash, format`,
  });

/** The number of files that wait for reading. */
export async function waitingFiles(db: Queryable): Promise<number> {
  const rows = await db.query<{ count: number }>({
    name: 'waiting-file-texts',
    text: `select count(*)::int as count from file_text where state = 'waiting'`,
  });
  return rows[0]?.count ?? 0;
}

/** Text of a file, with the words and stems that are indexed. */
type FileWords = { text: string; words: string; stems: string };

/** Stores the text of a file: the next writes of objects with the file index it. The file still waits until `endFile`. */
export async function saveFileText(db: Queryable, hash: string, { text, words, stems }: FileWords): Promise<void> {
  await db.query({
    name: 'save-file-text',
    text: `update file_text set text = $2, words = $3, stems = $4 where hash = decode($1, 'hex')`,
    values: [hash, text, words, stems],
  });
}

/** Ends the wait of a file whose text was read, or with a reason cannot be read. */
export async function endFile(db: Queryable, hash: string, reason: string | null): Promise<void> {
  await db.query({
    name: 'end-file-text',
    text: `update file_text set state = case when $2::text is null then 'read' else 'failed' end, reason = $2 where hash = decode($1, 'hex')`,
    values: [hash, reason],
  });
}

/** The next objects behind the number `after` that have a file. */
export const objectsWithFile = (
  db: Queryable,
  hash: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ oid: number; path: string }[]> =>
  db.query({
    name: 'objects-with-file',
    text: `select c.oid, c.path from catalog k join content c on c.oid = k.oid
      where k.custom @> $1::jsonb and c.oid > $2 order by c.oid limit $3`,
    values: [JSON.stringify({ [FILES_KEY]: [hash] }), after, limit],
  });

/** Removes the texts of removed files. */
export async function forgetFileTexts(db: Queryable, hashes: readonly string[]): Promise<void> {
  await db.query({
    name: 'forget-file-texts',
    text: `delete from file_text where hash in (select decode(h, 'hex') from unnest($1::text[]) h)`,
    values: [hashes],
  });
}
