import type { Queryable } from '#core';

/** A foreign key that deletes in cascade. Names are quoted for SQL where necessary. */
export type CascadingKey = {
  table: string;
  columns: string[];
  parent: string;
  parentColumns: string[];
};

/** All foreign keys of the schema that delete in cascade, except those within one table. */
export const cascadingKeys = (db: Queryable): Promise<CascadingKey[]> =>
  db.query<CascadingKey>({
    name: 'cascading-keys',
    text: `select quote_ident(child.relname) as table, quote_ident(parent.relname) as parent,
        array(select quote_ident(a.attname) from unnest(k.conkey) with ordinality u(number, at)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number order by at) as columns,
        array(select quote_ident(a.attname) from unnest(k.confkey) with ordinality u(number, at)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number order by at) as "parentColumns"
      from pg_constraint k join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
      where k.contype = 'f' and k.confdeltype = 'c' and k.conrelid <> k.confrelid
        and child.relnamespace = current_schema()::regnamespace
      order by child.relname, k.conname`,
  });

/** The columns and keys of a table for restoring its rows. Names are quoted for SQL where necessary. */
export type RestoredTable = {
  table: string;
  columns: { name: string; fallback: string | null }[];
  /** The foreign keys of the table. */
  keys: { columns: string[]; parent: string; parentColumns: string[] }[];
};

/**
 * The writable columns of tables, with the defaults of columns that must have a value: rows that were stored before a column was added lack its
 * value. Missing tables are left out.
 */
export const restoredTables = (db: Queryable, tables: readonly string[]): Promise<RestoredTable[]> =>
  db.query<RestoredTable>({
    name: 'restored-tables',
    text: `select quote_ident(t.relname) as table,
        (select jsonb_agg(jsonb_build_object('name', quote_ident(a.attname),
            'fallback', case when a.attnotnull then pg_get_expr(d.adbin, d.adrelid) end) order by a.attnum)
          from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
        coalesce((select jsonb_agg(jsonb_build_object('parent', quote_ident(p.relname),
            'columns', (select jsonb_agg(quote_ident(a.attname) order by at) from unnest(k.conkey) with ordinality u(number, at)
              join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number),
            'parentColumns', (select jsonb_agg(quote_ident(a.attname) order by at) from unnest(k.confkey) with ordinality u(number, at)
              join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number)))
          from pg_constraint k join pg_class p on p.oid = k.confrelid
          where k.contype = 'f' and k.conrelid = t.oid and k.confrelid <> t.oid), '[]') as keys
      from pg_class t where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace and quote_ident(t.relname) = any($1)`,
    values: [tables],
  });

/** A table that depends on content, with the chain of keys: the first key refers to content, the last key belongs to the table. */
export type Dependent = { table: string; way: CascadingKey[] };

/** Tables whose rows are computed again when content is restored. */
const DERIVED = new Set(['catalog', 'reference']);

/** All tables whose rows are deleted with content, in the order of their distance from content. One table may have several chains of keys. */
export function dependentsOfContent(keys: readonly CascadingKey[]): Dependent[] {
  const found: Dependent[] = [];
  let reached: Dependent[] = [{ table: 'content', way: [] }];
  while (reached.length > 0) {
    reached = reached.flatMap(({ table: parent, way }) =>
      keys
        .filter((key) => key.parent === parent && key.table !== 'content' && !DERIVED.has(key.table))
        .filter((key) => !way.some(({ table }) => table === key.table))
        .map((key) => ({ table: key.table, way: [...way, key] })),
    );
    found.push(...reached);
  }
  return found;
}
