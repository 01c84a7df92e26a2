import type { Transaction } from '../../database/database.ts';
import type { FieldProblem } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import { runInBatches } from '../kernel/batches.ts';
import type { JobAction, JobContext, Kernel } from '../kernel/kernel.ts';
import {
  type CatalogRow,
  type ReindexedObject,
  reindexCount,
  reindexNext,
  reindexNodes,
  reindexObjects,
  writeCatalogRows,
} from '../search/statements/catalog.ts';
import type { TreeNode } from '../types/content-row.ts';
import { catalogRowOf, referencesOf } from './index-content.ts';
import { securityNode } from './permissions.ts';
import { lockRows } from './statements/load-content.ts';
import { forgetReferences, insertReferences, type Reference } from './statements/references.ts';
import { pathsTo } from './tree-path.ts';

/**
 * Objects that are indexed in one transaction. Writers of these objects wait for it. More objects would not be quicker, and the memory of a small
 * batch is freed before the garbage collector counts it as old: with 200 objects the process took 100 MB more.
 */
const BATCH = 50;

/** Receives the number of objects that are done, and the total. */
export type ReindexProgress = (done: number, total: number) => void;

/**
 * Locks objects with their containers as a write does, so that their data and security do not change before their rows are written. An object that
 * moves before its lock is locked again at its new place.
 */
async function lockObjects(tx: Transaction, oids: readonly number[], paths: readonly string[]) {
  const held = new Set<string>();
  let wanted = [...new Set(paths.flatMap(pathsTo))];
  for (;;) {
    await lockRows(tx, wanted, 'shared');
    for (const path of wanted) held.add(path);
    const objects = await reindexObjects(tx, oids);
    wanted = [...new Set(objects.flatMap(({ path }) => pathsTo(path)))].filter((path) => !held.has(path));
    if (wanted.length === 0) return { objects, nodes: await reindexNodes(tx, [...held]) };
  }
}

/** The catalog rows of objects. `nodes` are the objects and all of their containers. */
export function catalogRowsOf(
  site: Site,
  objects: readonly ReindexedObject[],
  nodes: readonly TreeNode[],
): CatalogRow[] {
  const byPath = new Map(nodes.map((node): [string, TreeNode] => [node.path, node]));
  return objects.map((object) => {
    const chain = pathsTo(object.path).reverse();
    return catalogRowOf(
      site,
      object,
      chain.flatMap((path) => byPath.get(path) ?? []).map((node) => securityNode(site, node)),
    );
  });
}

/** The correct index entries of objects. */
export type IndexedObjects = {
  objects: readonly ReindexedObject[];
  rows: CatalogRow[];
  references: { oid: number; references: Reference[] }[];
};

/** Makes the index entries of those of these objects that still exist, and locks the objects in the transaction. */
export async function indexEntriesOf(
  kernel: Kernel,
  tx: Transaction,
  wanted: readonly { oid: number; path: string }[],
): Promise<IndexedObjects> {
  const { objects, nodes } = await lockObjects(
    tx,
    wanted.map(({ oid }) => oid),
    wanted.map(({ path }) => path),
  );
  const site = await kernel.sites.within(tx);
  const rows = catalogRowsOf(site, objects, nodes);
  const references = objects.map((object) => ({
    oid: object.oid,
    references: referencesOf(kernel, site, object),
  }));
  return { objects, rows, references };
}

/** Indexes those of these objects that still exist, in a transaction that locks them. */
export async function reindexIn(
  kernel: Kernel,
  tx: Transaction,
  wanted: readonly { oid: number; path: string }[],
): Promise<void> {
  const { objects, rows, references } = await indexEntriesOf(kernel, tx, wanted);
  await writeCatalogRows(tx, rows);
  await forgetReferences(
    tx,
    objects.map(({ oid }) => oid),
  );
  await insertReferences(tx, references);
}

/** Indexes the next objects behind the number `after`. Returns the last of them and their number; undefined at the end. */
async function reindexBatch(kernel: Kernel, tx: Transaction, after: number) {
  const next = await reindexNext(tx, { after, limit: BATCH, types: undefined });
  const last = next.at(-1)?.oid;
  if (last === undefined) return undefined;
  await reindexIn(kernel, tx, next);
  return { last, count: next.length };
}

/**
 * Builds the catalog and the references of the whole site anew, in batches of one transaction each, while the site is in use: concurrent writes index
 * their own content. Returns the number of objects. The work can be ended and begun again at any time.
 */
export async function reindexSite(
  kernel: Kernel,
  { progress = () => {} }: { progress?: ReindexProgress } = {},
): Promise<number> {
  const total = await reindexCount(kernel.db);
  let done = 0;
  let after = 0;
  for (;;) {
    const batch = await kernel.db.transaction((tx) => reindexBatch(kernel, tx, after));
    if (!batch) return done;
    after = batch.last;
    done += batch.count;
    progress(done, Math.max(done, total));
  }
}

/** The texts of a list; the schema has checked that they are texts. */
export const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Indexes objects in batches. When the process ends, the job continues behind the last finished batch. Returns the number of objects. */
export function reindexInBatches(
  context: JobContext,
  types: readonly string[] | undefined,
  name?: string,
): Promise<number> {
  let next: { oid: number; path: string }[] = [];
  return runInBatches<number>(context, {
    ...(name !== undefined && { name }),
    size: BATCH,
    count: (tx) => reindexCount(tx, types),
    select: async (tx, after = 0, limit) => {
      next = await reindexNext(tx, { after, limit, types });
      return next.map(({ oid }) => oid);
    },
    change: (tx) => reindexIn(context.kernel, tx, next),
  });
}

/** Builds catalog and references anew. Its result is always the same, so it can be ended and begun again. */
export const reindex: JobAction = {
  name: 'reindex',
  title: 'Reindex items',
  description: 'Builds the catalog of the site anew while it is in use.',
  schema: {
    fieldsets: [{ id: 'default', title: 'Default', fields: ['type'] }],
    properties: {
      type: {
        title: 'Content type',
        description: 'Content types of the objects that are indexed; an empty list for all.',
        type: 'array',
        factory: 'Multiple Choice',
        items: { type: 'string', vocabulary: { '@id': 'types' } },
        uniqueItems: true,
        additionalItems: true,
      },
    },
    required: ['type'],
  },
  exclusive: true,
  check({ type: names }, site) {
    const unknown = namesOf(names).filter((name) => !site.types.has(name));
    return unknown.map((name): FieldProblem => ({ field: 'type', message: `There is no content type "${name}"` }));
  },
  run: async (context) => {
    const types = namesOf(context.params.type);
    return { objects: await reindexInBatches(context, types.length > 0 ? types : undefined) };
  },
};
