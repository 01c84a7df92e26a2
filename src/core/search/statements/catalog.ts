import type { Queryable, Statement } from '../../../database/database.ts';
import { knownFiles, NOTE_FILES, WITH_FILE_WORDS } from '../../files/statements/file-texts.ts';
import type { ContentObject, TreeNode } from '../../types/content-row.ts';
import { ALL_FIELDS, AT_OR_BELOW, NODE_COLUMNS } from './fragments.ts';

/** The catalog's row of one object. */
export type CatalogRow = {
  oid: number;
  allowed: string[];
  /** The viewers who may also view the object outside of its dates of publication, on sites where these hide content. */
  inactiveAllowed: string[];
  excludeFromNav: boolean;
  /** All words as a text of tsvector. */
  words: string;
  /** Words by weight, of which `stemmer`, a text search configuration, makes the stems. */
  stems: { title: string; description: string; text: string };
  stemmer: string;
  /** Files whose texts are searched with the object. */
  files: { hash: string; format: string }[];
  sortableTitle: string;
  subjects: string[];
  blockTypes: string[];
  /** Texts of tstzmultirange. */
  starts: string | null;
  ends: string | null;
  /** Values of fields and of indexes of add-ons that the catalog stores, by their names. */
  custom: Record<string, unknown>;
  /** The values of `custom` for searches of ranges. */
  ranged: { name: string; number: number | null; text: string | null; at: string | null }[];
};

/** Stems of one part of the text. Without a language only the words themselves are indexed. */
const stems = (part: string, weight: string) => `setweight(to_tsvector(stemmer, stems->>'${part}'), '${weight}')`;

/** Stems of single fields, each behind the prefix of its field. */
const FIELD_STEMS = `array_to_tsvector(array(
  select f.prefix || l.lexeme from jsonb_each_text("fieldStems") f(prefix, text), unnest(to_tsvector(stemmer, f.text)) l))`;

/** The rows in the JSON of a parameter, each value with the type of its column. */
const ROWS = `n as (
    select * from jsonb_to_recordset($1::jsonb) n(oid bigint, allowed text[], "inactiveAllowed" text[], "excludeFromNav" boolean, words tsvector,
      stems jsonb, "fieldStems" jsonb, stemmer regconfig, "sortableTitle" text, subjects text[], "blockTypes" text[], starts tstzmultirange,
      ends tstzmultirange, custom jsonb, ranged jsonb, files jsonb)
  )`;

/** The words of the object itself. */
const OWN_WORDS = `case stemmer when 'simple'::regconfig then n.words
  else n.words || ${stems('title', 'A')} || ${stems('description', 'B')} || ${stems('text', 'C')} || ${FIELD_STEMS} end`;

const selectRows = (
  vector: string,
) => `select oid, allowed, "inactiveAllowed" as inactive_allowed, "excludeFromNav" as exclude_from_nav, vector.searchable,
    "sortableTitle" as sortable_title, subjects, "blockTypes" as block_types, starts, ends, custom
  from n ${vector}`;

const insertRows = (
  vector: string,
) => `insert into catalog (oid, allowed, inactive_allowed, exclude_from_nav, searchable, sortable_title, subjects, block_types, starts, ends, custom)
  ${selectRows(vector)}`;

/** Parts of the statements that write rows, and the suffix of the names of these statements. */
type Parts = { kind: string; rows: string; insert: string };

const WITH_FILES: Parts = {
  kind: '-with-files',
  rows: `with ${ROWS}, ${NOTE_FILES}`,
  insert: insertRows(WITH_FILE_WORDS(OWN_WORDS)),
};

const WITHOUT_FILES: Parts = {
  kind: '',
  rows: `with ${ROWS}`,
  insert: insertRows(`cross join lateral (select ${OWN_WORDS} as searchable offset 0) vector`),
};

/**
 * The statements leave out the lookup of files when no row has any: few objects have files with text, and the lookup takes a large part of the time.
 */
const partsFor = (rows: readonly CatalogRow[]): Parts =>
  rows.some(({ files }) => files.length > 0) ? WITH_FILES : WITHOUT_FILES;

const INSERT_VALUES = `insert into catalog_value (oid, name, number, text, at)
  select n.oid, v.name, v.number, v.text, v.at
  from n cross join lateral jsonb_to_recordset(n.ranged) v(name text, number float8, text text, at timestamptz)`;

function insertion(rows: readonly CatalogRow[]): Statement {
  const { kind, rows: begin, insert } = partsFor(rows);
  const values = [JSON.stringify(rows)];
  // Few types have fields for searches of ranges: without any, the rows are read from the JSON once.
  if (rows.every(({ ranged }) => ranged.length === 0))
    return { name: `insert-catalog-rows${kind}`, text: `${begin} ${insert}`, values };
  return {
    name: `insert-catalog-rows${kind}-ranged`,
    text: `${begin}, added as (${insert}) ${INSERT_VALUES}`,
    values,
  };
}

/** Adds the catalog rows of new objects. */
export async function insertCatalogRows(db: Queryable, rows: readonly CatalogRow[]): Promise<void> {
  await db.query(insertion(rows));
}

/** Adds the catalog row of an object that was created in this transaction, as a deferred statement. */
export async function insertCatalogRow(db: Queryable, row: CatalogRow): Promise<void> {
  await db.query({ ...insertion([row]), deferred: true });
}

/** The written columns of a row, beside the number of its object. */
const WRITTEN = [
  'allowed',
  'inactive_allowed',
  'exclude_from_nav',
  'searchable',
  'sortable_title',
  'subjects',
  'block_types',
  'starts',
  'ends',
  'custom',
];

const writtenOf = (row: string): string => WRITTEN.map((column) => `${row}.${column}`).join(', ');

/** Writes the catalog rows of objects, new or not. An unchanged row is not written: each index would get another entry for it. */
export async function writeCatalogRows(db: Queryable, rows: readonly CatalogRow[]): Promise<void> {
  const { kind, rows: begin, insert } = partsFor(rows);
  await db.query({
    name: `write-catalog-rows${kind}`,
    deferred: true,
    text: `${begin}, written as (
        ${insert} on conflict (oid) do update set (${WRITTEN.join(', ')}) = row(${writtenOf('excluded')})
          where (${writtenOf('catalog')}) is distinct from (${writtenOf('excluded')})
      ), gone as (
        delete from catalog_value v using n
        where v.oid = n.oid and not n.ranged @> jsonb_build_array(jsonb_build_object('name', v.name))
      )
      ${INSERT_VALUES} on conflict (oid, name) do update set number = excluded.number, text = excluded.text, at = excluded.at
        where (catalog_value.number, catalog_value.text, catalog_value.at) is distinct from (excluded.number, excluded.text, excluded.at)`,
    values: [JSON.stringify(rows)],
  });
}

/** Columns that say who may view an object. */
const OF_VIEWERS = ['allowed', 'inactive_allowed'];

const rowOf = (row: string, columns: readonly string[]): string =>
  `(${columns.map((column) => `${row}.${column}`).join(', ')})`;

/** The difference of a stored row from the correct row of the object. */
export type CatalogDifference = { oid: number; missing: boolean; viewers: boolean; values: boolean };

/**
 * Finds the given rows that differ from the stored ones: the stored row is missing, its viewers differ, or its other values differ. Writes nothing.
 */
export const differingCatalogRows = (db: Queryable, rows: readonly CatalogRow[]): Promise<CatalogDifference[]> => {
  const others = WRITTEN.filter((column) => !OF_VIEWERS.includes(column));
  return db.query<CatalogDifference>({
    name: 'differing-catalog-rows',
    text: `with ${ROWS}, ${knownFiles()}, wanted as (${selectRows(WITH_FILE_WORDS(OWN_WORDS))}),
      compared as (
        select w.oid, k.oid is null as missing,
          k.oid is not null and ${rowOf('k', OF_VIEWERS)} is distinct from ${rowOf('w', OF_VIEWERS)} as viewers,
          k.oid is not null and (${rowOf('k', others)} is distinct from ${rowOf('w', others)}
            or (select count(*) from catalog_value v where v.oid = w.oid) <> jsonb_array_length(n.ranged)
            or exists (
              select from jsonb_to_recordset(n.ranged) r(name text, number float8, text text, at timestamptz)
              left join catalog_value v on v.oid = n.oid and v.name = r.name
              where v.oid is null or (v.number, v.text, v.at) is distinct from (r.number, r.text, r.at))) as values
        from wanted w join n using (oid) left join catalog k using (oid)
      )
      select * from compared where missing or viewers or values order by oid`,
    values: [JSON.stringify(rows)],
    reads: true,
  });
};

/** Writes the catalog row of one object. */
export const writeCatalogRow = (db: Queryable, row: CatalogRow): Promise<void> => writeCatalogRows(db, [row]);

/** An object of a subtree with the data for its security. */
export type SubtreeNode = TreeNode & { allowed: string[] | null; inactiveAllowed: string[] | null };

/** The nodes at or below `path`, containers before their children: all nodes, or a number of nodes behind the path `after`. */
export const subtreeNodes = (
  db: Queryable,
  path: string,
  { after = '', limit = null }: { after?: string; limit?: number | null } = {},
): Promise<SubtreeNode[]> =>
  db.query<SubtreeNode>({
    name: 'subtree-nodes',
    text: `select ${NODE_COLUMNS}, k.allowed, k.inactive_allowed as "inactiveAllowed" from content c left join catalog k using (oid)
      where ${AT_OR_BELOW('c.path', '$1')} and c.path > $2 order by c.path limit $3`,
    values: [path, after, limit],
  });

/** The viewers of one object within its dates, and outside of them. Both are the JSON of a list of tokens. */
export type WrittenViewers = { allowed: string; inactiveAllowed: string };

/** Writes the viewers of many objects at once. */
export async function writeAllowed(db: Queryable, rows: readonly ({ oid: number } & WrittenViewers)[]): Promise<void> {
  await db.query({
    name: 'write-allowed',
    deferred: true,
    text: `update catalog k set allowed = array(select jsonb_array_elements_text(n.allowed::jsonb)),
        inactive_allowed = array(select jsonb_array_elements_text(n.inactive_allowed::jsonb))
      from unnest($1::bigint[], $2::text[], $3::text[]) n(oid, allowed, inactive_allowed) where n.oid = k.oid`,
    values: [
      rows.map(({ oid }) => oid),
      rows.map(({ allowed }) => allowed),
      rows.map(({ inactiveAllowed }) => inactiveAllowed),
    ],
  });
}

/** The source of indexes: a node with its fields. Locks and the like would cost more than the rest. */
export type ReindexedObject = TreeNode & Pick<ContentObject, 'fields'>;

/** Objects of these types; undefined for all. */
const OF_TYPES = (parameter: string) => `(${parameter}::text[] is null or type = any(${parameter}))`;

/** The number of objects, of the given types only unless none are given. */
export async function reindexCount(db: Queryable, types?: readonly string[]): Promise<number> {
  const rows = await db.query<{ count: number }>({
    name: 'reindex-count',
    text: `select count(*)::int as count from content where ${OF_TYPES('$1')}`,
    values: [types],
  });
  return rows[0]?.count ?? 0;
}

/** Numbers and paths of the next objects behind the number `after`, of the given types only unless none are given. */
export const reindexNext = (
  db: Queryable,
  { after, limit, types }: { after: number; limit: number; types: readonly string[] | undefined },
): Promise<{ oid: number; path: string }[]> =>
  db.query({
    name: 'reindex-next',
    text: `select oid, path from content where oid > $1 and ${OF_TYPES('$3')} order by oid limit $2`,
    values: [after, limit, types],
  });

/** The objects with the given numbers that still exist. */
export const reindexObjects = (db: Queryable, oids: readonly number[]): Promise<ReindexedObject[]> =>
  db.query<ReindexedObject>({
    name: 'reindex-objects',
    text: `select ${NODE_COLUMNS}, ${ALL_FIELDS} from content c where c.oid = any($1)`,
    values: [oids],
  });

/** The nodes at the given paths. */
export const reindexNodes = (db: Queryable, paths: readonly string[]): Promise<TreeNode[]> =>
  db.query<TreeNode>({
    name: 'reindex-nodes',
    text: `select ${NODE_COLUMNS} from content c where c.path = any($1)`,
    values: [paths],
  });
