import type { Queryable } from '../../../storage/database.ts';
import { AT_OR_BELOW } from '../../../storage/statements/content-columns.ts';
import { cascadingKeys, type Dependent, dependentsOfContent } from '../../../storage/statements/recycle-tables.ts';

/** The rows of one dependent table that hang on the subtree at $2, each with the number of its object. */
function rowsOf({ table, way }: Dependent): string {
  const joins = way.map(({ table: child, columns, parentColumns }, at) => {
    const same = columns.map((column, i) => `t${at + 1}.${column} = t${at}.${parentColumns[i]}`);
    return `join ${child} t${at + 1} on ${same.join(' and ')}`;
  });
  return `select $1::text, t0.oid, '${table.replaceAll("'", "''")}', to_jsonb(t${way.length}) from content t0 ${joins.join(' ')} where ${AT_OR_BELOW('t0.path', '$2::text')}`;
}

/**
 * Copies an object and everything below it into the recycle bin, with all rows that hang on them in any table: whatever
 * the number of objects, four statements. The caller holds the object. Answers the id of the entry.
 */
export async function storeRecycled(
  db: Queryable,
  { oid, path, deletedBy }: { oid: number; path: string; deletedBy: string },
): Promise<string> {
  const entries = await db.query<{ id: string }>({
    name: 'store-recycled',
    text: `insert into recycled (deleted_by, oid, path, name, title, type, review_state, language, objects)
      select $3, oid, path, name, coalesce(fields->>'title', ''), type, review_state, language,
        (select count(*) from content c where ${AT_OR_BELOW('c.path', '$2::text')})
      from content where oid = $1 returning id`,
    values: [oid, path, deletedBy],
  });
  const [entry] = entries;
  if (!entry) throw new Error(`There is no content ${oid}`);
  await db.query({
    name: 'store-recycled-objects',
    text: `insert into recycled_object (entry, oid, uid, path, data)
      select $1, oid, uid, path, to_jsonb(c) from content c where ${AT_OR_BELOW('c.path', '$2::text')}`,
    values: [entry.id, path],
  });
  // Asked for each time: add-ons bring tables of their own.
  const dependents = dependentsOfContent(await cascadingKeys(db));
  if (dependents.length > 0) {
    await db.query({
      text: `insert into recycled_row (entry, oid, source, data) ${dependents.map(rowsOf).join(' union all ')}`,
      values: [entry.id, path],
    });
  }
  return entry.id;
}
