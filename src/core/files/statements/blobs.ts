import type { Database, Queryable } from '../../../database/database.ts';

/** A table with the columns that texts stand in, names quoted for SQL where they have to be. */
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

/** Returns the select for the hashes in the texts of a table; `concat_ws` leaves out nulls. */
const hashesIn = ({ table, columns }: TextTable): string =>
  `select m[1] as hash from ${table}, regexp_matches(concat_ws(' ', ${columns.join(', ')}), '\\m([0-9a-f]{64})\\M', 'g') m`;

/** The statement for all hashes in the texts of the database, each once and in order. Hashes of other things are among them. */
export async function selectHashes(db: Queryable): Promise<string> {
  const tables = await textTables(db);
  return `select distinct hash collate "C" as hash from (${tables.map(hashesIn).join(' union all ')}) found order by 1`;
}

/**
 * Those of the hashes that stand anywhere in the database, in one snapshot: what moves from one row to another meanwhile
 * is found in one of them. Reads all of the database: ask for many at once.
 */
export async function blobsInUse(db: Pick<Database, 'transaction'>, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db.transaction(async (tx) => {
    // A large site takes longer than any other statement may.
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
