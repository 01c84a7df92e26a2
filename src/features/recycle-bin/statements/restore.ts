import { contentSql, firstRow, type Queryable, redirectRows } from '#core';
import { cascadingKeys, dependentsOfContent, type RestoredTable, restoredTables } from './dependent-tables.ts';
import { type BinView, type RecycledEntry, SEEN } from './entries.ts';

/** The topmost object that is restored from an entry. */
export type RecycledTop = { oid: number; path: string; name: string; parent: number; type: string; title: string };

/** The deleted object of an entry, or the object below it with the UID if it is in the view. */
export const recycledTop = (
  db: Queryable,
  { id, path }: Pick<RecycledEntry, 'id' | 'path'>,
  { uid, view }: { uid?: string; view?: BinView | undefined },
): Promise<RecycledTop | undefined> =>
  firstRow<RecycledTop>(db, {
    name: 'recycled-top',
    text: `select oid, path, data->>'name' as name, (data->>'parent')::bigint as parent, data->>'type' as type,
        coalesce(data->'fields'->>'title', '') as title from recycled_object o
      where entry = $1 and ($3::text is null and path = $2 or uid = $3) and ${SEEN('$2::text', '$4')}`,
    values: [id, path, uid ?? null, view?.principals ?? null],
  });

/** Facts about a subtree of an entry: the length of its longest path in bytes, if any of its UIDs is taken, and its types. */
export async function recycledSubtree(
  db: Queryable,
  entry: string,
  path: string,
): Promise<{ longest: number; taken: boolean; types: string[] }> {
  const rows = await db.query<{ longest: number; taken: boolean; types: string[] }>({
    name: 'recycled-subtree',
    text: `select max(octet_length(o.path)) as longest, count(c.uid) > 0 as taken, array_agg(distinct o.data->>'type') as types
      from recycled_object o left join content c on c.uid = o.uid where o.entry = $1 and ${contentSql.AT_OR_BELOW('o.path', '$2::text')}`,
    values: [entry, path],
  });
  return rows[0] ?? { longest: 0, taken: false, types: [] };
}

/** Path of the object with an oid; undefined when the object is gone. */
export async function recycleParentPath(db: Queryable, oid: number): Promise<string | undefined> {
  const rows = await db.query<{ path: string }>({
    name: 'recycle-parent-path',
    text: 'select path from content where oid = $1',
    values: [oid],
  });
  return rows[0]?.path;
}

/** The expression for a column of a restored row: its old value, or the default of a column that was added since. */
const restoredValue = ({ name, fallback }: RestoredTable['columns'][number]): string =>
  fallback === null ? `r.${name}` : `coalesce(r.${name}, ${fallback})`;

/** The beginning of each statement that restores rows of a table; a query follows. */
const INTO = ({ table, columns }: RestoredTable): string =>
  `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) overriding system value`;

/** The place of a restored subtree. With `append` the subtree becomes the last child, else it gets its old position. */
export type RestoreTarget = { entry: string; from: string; to: string; name: string; parent: number; append: boolean };

/** Columns whose values change: the address, the lock, and the translation group if the group has another object in the language. */
const MOVED: Record<string, string> = {
  path: `$3 || substr(o.path, length($2) + 1)`,
  name: `case when o.path = $2 then $4 else r.name end`,
  parent: `case when o.path = $2 then $5::bigint else r.parent end`,
  position: `case when o.path = $2 and $6 then coalesce((select max(position) + 1 from content where parent = $5::bigint), 1) else r.position end`,
  lock: 'null',
  // Another object may have become the translation in this language since.
  translation_group: `case when not exists (select 1 from content t where t.translation_group = r.translation_group and t.language = r.language)
    then r.translation_group end`,
};

async function restoreObjects(db: Queryable, target: RestoreTarget): Promise<void> {
  const [content] = await restoredTables(db, ['content']);
  if (!content) throw new Error('There is no table of content');
  await db.query({
    text: `${INTO(content)}
      select ${content.columns.map((column) => MOVED[column.name.replaceAll('"', '')] ?? restoredValue(column)).join(', ')}
      from recycled_object o cross join lateral ${contentSql.storedRow('o.data')} r
      where o.entry = $1 and ${contentSql.AT_OR_BELOW('o.path', '$2::text')} order by o.path`,
    values: [target.entry, target.from, target.to, target.name, target.parent, target.append],
  });
}

/** The oids of all objects to restore. A list of values lets the planner know how many rows there are. */
async function oidsOf(db: Queryable, { entry, from }: RestoreTarget): Promise<number[]> {
  const rows = await db.query<{ oid: number }>({
    name: 'restored-oids',
    text: `select oid from recycled_object where entry = $1 and ${contentSql.AT_OR_BELOW('path', '$2::text')}`,
    values: [entry, from],
  });
  return rows.map(({ oid }) => oid);
}

/** Restores the rows of one table, except rows that refer to missing rows or whose key is taken. */
async function restoreRows(
  db: Queryable,
  restored: RestoredTable,
  { entry, oids }: { entry: string; oids: readonly number[] },
) {
  const { table, columns, keys } = restored;
  const present = keys.map(({ columns: own, parent, parentColumns }) => {
    const unset = own.map((column) => `r.${column} is null`);
    const same = own.map((column, i) => `p.${parentColumns[i]} = r.${column}`);
    // The object of the row has just been restored, so these references need no lookup.
    if (parent === 'content' && parentColumns.join() === 'oid') unset.push(`r.${own[0]} = s.oid`);
    return `and (${unset.join(' or ')} or exists (select 1 from ${parent} p where ${same.join(' and ')}))`;
  });
  await db.query({
    text: `${INTO(restored)}
      select ${columns.map(restoredValue).join(', ')}
      from recycled_row s cross join lateral jsonb_populate_record(null::${table}, s.data) r
      where s.entry = $1 and s.source = $2 and s.oid = any($3::bigint[]) ${present.join(' ')}
      on conflict do nothing`,
    values: [entry, table, oids],
  });
}

/**
 * Moves a subtree of an entry back into its tables with its old oids. The caller has locked the entry and the new
 * container, has checked that the name and the UIDs are free, and indexes the objects afterwards.
 */
export async function restoreRecycled(db: Queryable, target: RestoreTarget): Promise<void> {
  await restoreObjects(db, target);
  // A table with several chains of keys comes at the place of its longest chain, after all tables that it refers to.
  const reached = dependentsOfContent(await cascadingKeys(db)).map(({ table }) => table);
  const tables = [...new Set(reached.reverse())].reverse();
  const known = await restoredTables(db, tables);
  const oids = await oidsOf(db, target);
  for (const table of tables) {
    const found = known.find((one) => one.table === table);
    if (found) await restoreRows(db, found, { entry: target.entry, oids });
  }
  await redirectRows.restoreRedirects(db, { from: target.from, to: target.to, oids });
  await db.query({
    name: 'restored-rows-leave',
    // A working copy that is restored without its baseline loses the link, and so does a baseline without its copy.
    text: `delete from recycled_row where entry = $1 and (oid = any($2::bigint[]) or source = 'working_copy'
      and ((data->>'copy')::bigint = any($2::bigint[]) or (data->>'baseline')::bigint = any($2::bigint[])))`,
    values: [target.entry, oids],
  });
  await db.query({
    name: 'restored-objects-leave',
    text: `with gone as (delete from recycled_object where entry = $1 and ${contentSql.AT_OR_BELOW('path', '$2::text')} returning 1)
      update recycled set objects = objects - (select count(*) from gone) where id = $1`,
    values: [target.entry, target.from],
  });
  await db.query({
    name: 'restored-entry-leaves',
    text: 'delete from recycled where id = $1 and objects = 0',
    values: [target.entry],
  });
}
