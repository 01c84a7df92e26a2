import type { TreeNode } from '../content-row.ts';
import type { Queryable } from '../database.ts';
import { AT_OR_BELOW, NODE_COLUMNS } from './content-columns.ts';

/** What the catalog keeps of one object; texts by weight, the language names the stemmer. */
export type CatalogRow = {
  oid: number;
  allowed: string[];
  excludeFromNav: boolean;
  title: string;
  description: string;
  text: string;
  stemmer: string;
};

/** Adds the catalog rows of new objects. */
export async function insertCatalogRows(db: Queryable, rows: readonly CatalogRow[]): Promise<void> {
  await db.query({
    name: 'insert-catalog-rows',
    text: `insert into catalog (oid, allowed, exclude_from_nav, searchable)
      select oid, array(select jsonb_array_elements_text(allowed)), "excludeFromNav", setweight(to_tsvector(stemmer::regconfig, title), 'A')
        || setweight(to_tsvector(stemmer::regconfig, description), 'B') || setweight(to_tsvector(stemmer::regconfig, text), 'C')
      from jsonb_to_recordset($1::jsonb) n(oid bigint, allowed jsonb, "excludeFromNav" boolean, title text, description text, text text, stemmer text)`,
    values: [JSON.stringify(rows)],
  });
}

/** Writes the catalog row of an object, new or not. */
export async function writeCatalogRow(db: Queryable, row: CatalogRow): Promise<void> {
  await db.query({
    name: 'write-catalog-row',
    text: `insert into catalog (oid, allowed, exclude_from_nav, searchable)
      values ($1, $2, $3, setweight(to_tsvector($7::regconfig, $4), 'A') || setweight(to_tsvector($7::regconfig, $5), 'B') || setweight(to_tsvector($7::regconfig, $6), 'C'))
      on conflict (oid) do update set allowed = excluded.allowed, exclude_from_nav = excluded.exclude_from_nav, searchable = excluded.searchable`,
    values: [row.oid, row.allowed, row.excludeFromNav, row.title, row.description, row.text, row.stemmer],
  });
}

/** An object of a subtree with what its security depends on. */
export type SubtreeNode = TreeNode & { allowed: string[] | null };

/** All nodes at or below `path`, containers before their children. */
export const subtreeNodes = (db: Queryable, path: string): Promise<SubtreeNode[]> =>
  db.query<SubtreeNode>({
    name: 'subtree-nodes',
    text: `select ${NODE_COLUMNS}, k.allowed from content c left join catalog k using (oid) where ${AT_OR_BELOW('c.path', '$1')} order by c.path`,
    values: [path],
  });

/** Writes who may view, for many objects at once. Each of `allowed` is the JSON of a list of tokens. */
export async function writeAllowed(db: Queryable, oids: number[], allowed: string[]): Promise<void> {
  await db.query({
    name: 'write-allowed',
    text: `update catalog k set allowed = array(select jsonb_array_elements_text(n.allowed::jsonb))
      from unnest($1::bigint[], $2::text[]) n(oid, allowed) where n.oid = k.oid`,
    values: [oids, allowed],
  });
}
