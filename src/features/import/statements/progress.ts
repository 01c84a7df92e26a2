import type { Queryable } from '../../../storage/database.ts';

/** A piece of an export that an import has brought to the site; `content` is the object that it is or belongs to. */
type ProgressEntry = { uid: string; content: number | null };

/** An object that an import has made, where it is now. */
export type ImportedObject = { key: string; oid: number; uid: string; path: string };

/** What an import of `source` has made so far and is still there. */
export const importedObjects = (db: Queryable, source: string): Promise<ImportedObject[]> =>
  db.query<ImportedObject>({
    name: 'imported-objects',
    text: `select p.uid as key, c.oid, c.uid, c.path from import_progress p join content c on c.oid = p.content
      where p.source = $1 and left(p.uid, 1) <> '#'`,
    values: [source],
  });

/** Which of `keys` an import of `source` has dealt with already. */
export async function importedKeys(db: Queryable, source: string, keys: string[]): Promise<Set<string>> {
  const rows = await db.query<{ uid: string }>({
    name: 'imported-keys',
    text: 'select uid from import_progress where source = $1 and uid = any($2)',
    values: [source, keys],
  });
  return new Set(rows.map(({ uid }) => uid));
}

/** Remembers what an import has done, in the transaction in which it did it. */
export async function rememberImported(db: Queryable, source: string, entries: ProgressEntry[]): Promise<void> {
  await db.query({
    name: 'remember-imported',
    text: `insert into import_progress (source, uid, content)
      select $1, uid, content from unnest($2::text[], $3::bigint[]) n(uid, content)
      on conflict (source, uid) do update set content = excluded.content`,
    values: [source, entries.map(({ uid }) => uid), entries.map(({ content }) => content)],
  });
}

/** Marks a point in a transaction that a failing step can be taken back to. One point at a time. */
export async function beginStep(tx: Queryable): Promise<void> {
  await tx.query({ text: 'savepoint import_step' });
}

/** Keeps what was done since `beginStep`. */
export async function keepStep(tx: Queryable): Promise<void> {
  await tx.query({ text: 'release savepoint import_step' });
}

/** Takes back what was done since `beginStep`; the transaction goes on, also after a failed statement. */
export async function undoStep(tx: Queryable): Promise<void> {
  await tx.query({ text: 'rollback to savepoint import_step' });
  await keepStep(tx);
}
