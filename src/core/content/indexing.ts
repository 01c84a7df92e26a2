import type { Queryable, Transaction } from '../../database/database.ts';
import { loadBatches } from '../../lib/batches.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { IndexedWords } from '../search/indexed-words.ts';
import {
  insertCatalogRows,
  reindexNodes,
  reindexObjects,
  subtreeNodes,
  writeCatalogRows,
} from '../search/statements/catalog.ts';
import type { SecurityNode } from '../security/can.ts';
import type { TreeNode } from '../types/content-row.ts';
import { catalogRowOf, type Indexable, referencesOf } from './index-content.ts';
import { securityNode } from './permissions.ts';
import { catalogRowsOf, reindexIn } from './reindex-site.ts';
import { setLanguages } from './statements/content-rows.ts';
import { insertReferences, type Reference, replaceReferences } from './statements/references.ts';
import { parentPath, pathsTo } from './tree-path.ts';

export { reindexSite } from './reindex-site.ts';
export { indexSecurity as updateViewers } from './security-index.ts';

/** An object to be indexed. */
export type Entry = {
  object: Indexable;
  /** Its security chain: itself, its container, … the root. */
  chain: readonly SecurityNode[];
  /** The words by which searches find the object, if they have been collected. */
  words?: IndexedWords;
  /** References beside those of its fields. */
  others?: readonly Reference[];
};

const rowOf = (site: Site, { object, chain, words }: Entry) => catalogRowOf(site, object, chain, words);

const allReferences = (kernel: Pick<Kernel, 'fieldKinds'>, site: Site, { object, others = [] }: Entry): Reference[] => [
  ...referencesOf(kernel, site, object),
  ...others,
];

/** Indexes objects without index entries: catalog rows and references, in two statements. */
export async function insert(
  kernel: Pick<Kernel, 'fieldKinds'>,
  tx: Queryable,
  site: Site,
  entries: readonly Entry[],
): Promise<void> {
  await insertCatalogRows(
    tx,
    entries.map((entry) => rowOf(site, entry)),
  );
  await insertReferences(
    tx,
    entries.map((entry) => ({ oid: entry.object.oid, references: allReferences(kernel, site, entry) })),
  );
}

/** Indexes an object anew: its catalog row and its references. */
export async function replace(
  kernel: Pick<Kernel, 'fieldKinds'>,
  tx: Queryable,
  site: Site,
  entry: Entry,
): Promise<void> {
  await writeCatalogRows(tx, [rowOf(site, entry)]);
  await replaceReferences(tx, entry.object.oid, allReferences(kernel, site, entry));
}

/** Maximum number of objects whose fields are in memory at once. */
const BATCH = 500;

/**
 * Indexes the objects at and below a path that are not indexed yet, by the present types, workflows and roles. `ancestors` begin with the container.
 */
export async function insertBelow(
  kernel: Pick<Kernel, 'fieldKinds'>,
  tx: Queryable,
  { site, path, ancestors }: { site: Site; path: string; ancestors: readonly TreeNode[] },
): Promise<void> {
  const above = ancestors.map((node) => securityNode(site, node));
  const nodes = await subtreeNodes(tx, path);
  const chains = new Map<string, SecurityNode[]>();
  for (const node of nodes)
    chains.set(node.path, [securityNode(site, node), ...(chains.get(parentPath(node.path) ?? '') ?? above)]);
  for (let at = 0; at < nodes.length; at += BATCH) {
    const oids = nodes.slice(at, at + BATCH).map(({ oid }) => oid);
    const objects = await reindexObjects(tx, oids);
    await insert(
      kernel,
      tx,
      site,
      objects.map((object) => ({ object, chain: chains.get(object.path) ?? above })),
    );
  }
}

/** Writes the catalog rows of objects from their stored values. Their references stay. */
export async function writeCatalog(tx: Queryable, site: Site, oids: readonly number[]): Promise<void> {
  const objects = await reindexObjects(tx, oids);
  const ways = [...new Set(objects.flatMap(({ path }) => pathsTo(path)))];
  await writeCatalogRows(tx, catalogRowsOf(site, objects, await reindexNodes(tx, ways)));
}

/** Number of objects whose catalog rows are written at once. */
const WRITTEN_BATCH = 200;

/** Writes the catalog rows of the objects at and below a path from their stored values. `done` receives the number of each batch. */
export async function writeCatalogBelow(
  tx: Queryable,
  site: Site,
  path: string,
  done: (objects: number) => void,
): Promise<void> {
  const load = (last: { path: string } | undefined) =>
    subtreeNodes(tx, path, { after: last?.path ?? '', limit: WRITTEN_BATCH });
  for await (const nodes of loadBatches(WRITTEN_BATCH, load)) {
    await writeCatalog(
      tx,
      site,
      nodes.map(({ oid }) => oid),
    );
    done(nodes.length);
  }
}

/** Gives held objects another language, and indexes them again, because words are stemmed by language. */
export async function setLanguage(
  kernel: Kernel,
  tx: Transaction,
  objects: readonly { oid: number; path: string }[],
  language: string,
): Promise<void> {
  await setLanguages(
    tx,
    objects.map(({ oid }) => oid),
    language,
  );
  await reindexIn(kernel, tx, objects);
}
