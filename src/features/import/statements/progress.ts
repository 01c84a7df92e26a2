import type { Queryable } from '#core';

/** A part of an export that has been imported; `content` is the number of the object that it is or belongs to. */
type ProgressEntry = { uid: string; content: number | null };

/** An object that an import has created, with its present path. */
export type ImportedObject = {
  key: string;
  oid: number;
  uid: string;
  path: string;
  translationGroup: string | null;
};

/** Returns the objects that an import of `source` has created so far and that still exist. */
export const importedObjects = (db: Queryable, source: string): Promise<ImportedObject[]> =>
  db.query<ImportedObject>({
    name: 'imported-objects',
    text: `select p.uid as key, c.oid, c.uid, c.path, c.translation_group as "translationGroup" from import_progress p join content c on c.oid = p.content
      where p.source = $1 and left(p.uid, 1) <> '#'`,
    values: [source],
  });

/** Returns which of `keys` an import of `source` has processed already. */
export async function importedKeys(db: Queryable, source: string, keys: string[]): Promise<Set<string>> {
  const rows = await db.query<{ uid: string }>({
    name: 'imported-keys',
    text: 'select uid from import_progress where source = $1 and uid = any($2)',
    values: [source, keys],
  });
  return new Set(rows.map(({ uid }) => uid));
}

/** Returns what an import of `source` has noted under keys that begin with `start`. */
export async function importedKeysLike(db: Queryable, source: string, start: string): Promise<string[]> {
  const rows = await db.query<{ uid: string }>({
    name: 'imported-keys-like',
    text: 'select uid from import_progress where source = $1 and starts_with(uid, $2)',
    values: [source, start],
  });
  return rows.map(({ uid }) => uid);
}

/** Removes a note of an import. */
export async function forgetImported(db: Queryable, source: string, key: string): Promise<void> {
  await db.query({
    name: 'forget-imported',
    text: 'delete from import_progress where source = $1 and uid = $2',
    values: [source, key],
  });
}

/** Records what an import has done, in the same transaction. */
export async function rememberImported(db: Queryable, source: string, entries: ProgressEntry[]): Promise<void> {
  await db.query({
    name: 'remember-imported',
    text: `insert into import_progress (source, uid, content)
      select $1, uid, content from unnest($2::text[], $3::bigint[]) n(uid, content)
      on conflict (source, uid) do update set content = excluded.content`,
    values: [source, entries.map(({ uid }) => uid), entries.map(({ content }) => content)],
  });
}
