import type { Database, Queryable } from '../../../database/database.ts';

/** A table with its columns of texts, with names quoted for SQL if necessary. */
type TextTable = { table: string; columns: string[] };

/** All tables of the schema, also those of add-ons: a table that refers to a file has its hash somewhere in a text or in JSON. */
const textTables = (db: Queryable): Promise<TextTable[]> =>
  db.query<TextTable>({
    name: 'text-tables',
    text: `select quote_ident(t.relname) as table, array_agg(quote_ident(a.attname) order by a.attnum) as columns
      from pg_class t join pg_attribute a on a.attrelid = t.oid
      where t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace = current_schema()::regnamespace
        and a.attnum > 0 and not a.attisdropped
        and a.atttypid = any(array['text', 'json', 'jsonb', 'text[]', 'json[]', 'jsonb[]']::regtype[])
      group by t.relname order by t.relname`,
  });

/** A table with columns of JSON: `address` is the SQL for the address of a row, `blocks` its size on the disk. */
export type JsonTable = { table: string; columns: string[]; address: string; blocks: number };

/** All tables that may describe files in JSON, also those of add-ons. */
export const jsonTables = (db: Queryable): Promise<JsonTable[]> =>
  db.query<JsonTable>({
    name: 'json-tables',
    text: `select quote_ident(t.relname) as table, array_agg(quote_ident(a.attname) order by a.attnum) as columns,
        case t.relname when 'content' then 't.path' else 'concat_ws('' '', ' || quote_literal(t.relname) || coalesce((
          select ', ' || string_agg('t.' || quote_ident(k.attname), ', ' order by k.attnum) from pg_index i
          join pg_attribute k on k.attrelid = t.oid and k.attnum = any(i.indkey) where i.indrelid = t.oid and i.indisprimary), '') || ')' end as address,
        pg_relation_size(t.oid) / current_setting('block_size')::int as blocks
      from pg_class t join pg_attribute a on a.attrelid = t.oid
      where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace
        and a.attnum > 0 and not a.attisdropped and a.atttypid = any(array['json', 'jsonb']::regtype[])
      group by t.oid, t.relname order by t.relname`,
  });

/** The description of a file in a row. */
export type DescribedFile = { address: string; hash: string; size: number | null; filename: string };

/** Descriptions of files, at any depth. */
const FILES_IN = `'strict $.** ? (@.hash like_regex "^[0-9a-f]{64}$" && exists(@.filename))'`;

/** The files that the rows in some blocks of a table describe. */
export const filesInBlocks = (
  db: Queryable,
  { table, columns, address }: JsonTable,
  { from, to }: { from: number; to: number },
): Promise<DescribedFile[]> =>
  db.query<DescribedFile>({
    text: `select distinct ${address} as address, d.file->>'hash' as hash, d.file->>'filename' as filename,
        case when jsonb_typeof(d.file->'size') = 'number' then (d.file->>'size')::bigint end as size
      from ${table} t cross join lateral (${columns.map((column) => `select jsonb_path_query(t.${column}::jsonb, ${FILES_IN}) as file`).join(' union all ')}) d
      where t.ctid >= $1::tid and t.ctid < $2::tid`,
    values: [`(${from},0)`, `(${to},0)`],
    reads: true,
  });

/** Returns the select for the hashes in the texts of a table; `concat_ws` leaves out nulls. */
const hashesIn = ({ table, columns }: TextTable): string =>
  `select m[1] as hash from ${table}, regexp_matches(concat_ws(' ', ${columns.join(', ')}), '\\m([0-9a-f]{64})\\M', 'g') m`;

/** The statement for all hashes in the texts of the database, each once and in order. Hashes of other things are among them. */
export async function selectHashes(db: Queryable): Promise<string> {
  const tables = await textTables(db);
  return `select distinct hash collate "C" as hash from (${tables.map(hashesIn).join(' union all ')}) found order by 1`;
}

/**
 * Returns the given hashes that occur anywhere in the database, in one snapshot, so that a hash that moves between rows is found. It reads the whole
 * database, so ask for many hashes at once.
 */
export async function blobsInUse(db: Pick<Database, 'transaction'>, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db.transaction(async (tx) => {
    // On a large site this may take longer than the limit of other statements.
    await tx.query({ text: 'set local statement_timeout = 0' });
    const tables = await textTables(tx);
    return tx.query<{ hash: string }>({
      text: `select distinct wanted.hash from (${tables.map(hashesIn).join(' union all ')}) found
        join unnest($1::text[]) wanted(hash) on wanted.hash = found.hash`,
      values: [hashes],
    });
  });
  return new Set(rows.map(({ hash }) => hash));
}
