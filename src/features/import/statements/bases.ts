import type { Queryable } from '#core';

/** Where an object was in the export: the UID of its container there, empty for the root, and its id. */
export type ExportedPlace = { parent: string; name: string };

/** A part of an export without its state. `uid` is that in the export, `object` that on this site; the latter is empty for what is no object. */
export type BaseEntry = ExportedPlace & { uid: string; object: string };

/** A part with its packed state, in base64. */
export type PackedBase = BaseEntry & { state: string };

/** Rows that are read with one statement. */
const PAGE_SIZE = 5000;

/** Returns the objects of all imports of `source`, without what is beside them. */
export async function baseEntries(db: Queryable, source: string): Promise<BaseEntry[]> {
  const entries: BaseEntry[] = [];
  for (;;) {
    const page: BaseEntry[] = await db.query<BaseEntry>({
      name: 'base-entries',
      text: `select uid, object, parent, name from import_base
        where source = $1 and uid > $2 and left(uid, 1) <> '#' order by uid limit ${PAGE_SIZE}`,
      values: [source, entries.at(-1)?.uid ?? ''],
    });
    entries.push(...page);
    if (page.length < PAGE_SIZE) return entries;
  }
}

/** Returns the bases of some parts. */
export const loadBases = (db: Queryable, source: string, uids: readonly string[]): Promise<PackedBase[]> =>
  db.query<PackedBase>({
    name: 'load-bases',
    text: `select uid, object, parent, name, encode(state, 'base64') as state from import_base
      where source = $1 and uid = any($2)`,
    values: [source, uids],
  });

/** Returns a page of the bases whose keys begin with `start`, those behind `after`. */
export const basesLike = (
  db: Queryable,
  source: string,
  { start, after, limit }: { start: string; after: string; limit: number },
): Promise<PackedBase[]> =>
  db.query<PackedBase>({
    name: 'bases-like',
    text: `select uid, object, parent, name, encode(state, 'base64') as state from import_base
      where source = $1 and starts_with(uid, $2) and uid > $3 order by uid limit $4`,
    values: [source, start, after, limit],
  });

/** Writes bases; those that are there get the new state and place. */
export async function writeBases(db: Queryable, source: string, bases: readonly PackedBase[]): Promise<void> {
  if (bases.length === 0) return;
  await db.query({
    name: 'write-bases',
    text: `insert into import_base (source, uid, object, parent, name, state)
      select $1, uid, object, parent, name, decode(state, 'base64')
      from jsonb_to_recordset($2::jsonb) n(uid text, object text, parent text, name text, state text)
      on conflict (source, uid) do update set object = excluded.object, parent = excluded.parent, name = excluded.name,
        state = excluded.state`,
    values: [source, JSON.stringify(bases)],
  });
}

/** Writes where an object is in the newest export. */
export async function writePlace(
  db: Queryable,
  source: string,
  { uid, parent, name }: ExportedPlace & { uid: string },
): Promise<void> {
  await db.query({
    name: 'write-base-place',
    text: 'update import_base set parent = $3, name = $4 where source = $1 and uid = $2',
    values: [source, uid, parent, name],
  });
}

/** Removes the bases of parts that no export has any more. */
export async function removeBases(db: Queryable, source: string, uids: readonly string[]): Promise<void> {
  await db.query({
    name: 'remove-bases',
    text: 'delete from import_base where source = $1 and uid = any($2)',
    values: [source, uids],
  });
}

/** The earlier imports that have some of these objects, with their number, the most first. */
export const sourcesOf = (db: Queryable, uids: readonly string[]): Promise<{ source: string; objects: number }[]> =>
  db.query<{ source: string; objects: number }>({
    name: 'sources-of-bases',
    text: `select source, count(*)::int as objects from import_base where uid = any($1) group by source
      order by objects desc, source`,
    values: [uids],
  });
