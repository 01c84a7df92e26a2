import { type CacheTags, isTouched } from '../../../database/cache-tags.ts';
import type { Queryable } from '../../../database/database.ts';
import { Slot } from '../../../lib/slots.ts';
import type { CacheCounts } from '../../cache/cache-counts.ts';
import type { ChangeFeed } from '../../cache/change-feed.ts';
import { KeptValues, type KnownChange, servesKept, type ValueSource } from '../../cache/kept-values.ts';
import {
  type ShownNode,
  shownAmong,
  type TreeRequest,
  type TreeRow,
  tagsOfTree,
  treeRows,
} from '../../content/statements/navigation.ts';
import type { RenderContext } from '../render-context.ts';

/** Maximum number of trees that are kept, and of their estimated bytes. */
const MAX_TREES = 500;
const CAPACITY_BYTES = 16 * 1024 * 1024;
/** Estimated bytes of a tree, and of a node without its texts; each of these is kept in the node, and in the JSON text of the tree. */
const TREE_BYTES = 2000;
const NODE_BYTES = 600;
const CHARACTER_BYTES = 3;
/**
 * Minimum number of nodes of a tree that is kept while other processes may write: a smaller one is read as fast as the database is asked for
 * changes.
 */
const MIN_NODES = 100;
/** Maximum number of changed objects that are looked at again; with more, the tree is read anew. */
const MAX_CHANGED = 100;

/** The nodes of a tree for its viewers, with their tags. */
export class Tree {
  readonly rows: readonly TreeRow[];
  readonly tags: CacheTags;
  /** The last text that was made of the nodes, for each form of the site. */
  readonly #texts = new WeakMap<object, { base: string; text: string }>();

  constructor(rows: readonly TreeRow[], { depth }: Pick<TreeRequest, 'depth'>) {
    this.rows = rows;
    this.tags = tagsOfTree(rows, depth);
  }

  /** The text that `make` makes of the nodes for a site and an address. Sites never change, so that it is made once for each of them. */
  textFor(site: object, base: string, make: () => string): string {
    const known = this.#texts.get(site);
    if (known?.base === base) return known.text;
    const text = make();
    this.#texts.set(site, { base, text });
    return text;
  }

  /** Estimated bytes in memory. */
  get bytes(): number {
    return this.rows.reduce(
      (sum, { path, title, description }) =>
        sum + NODE_BYTES + CHARACTER_BYTES * (path.length + title.length + description.length),
      TREE_BYTES,
    );
  }
}

/** The trees that a process keeps, by their requests. */
export const KEPT_TREES = new Slot<KeptValues<Tree>>('trees of navigation');

/** The kept trees of a process. */
export const keptTrees = (changes: ChangeFeed, counts: CacheCounts): KeptValues<Tree> =>
  new KeptValues(changes, counts, { entries: MAX_TREES, bytes: CAPACITY_BYTES, sizeOf: ({ bytes }) => bytes });

const byPlace = (a: TreeRow, b: TreeRow): number => a.level - b.level || a.position - b.position || a.oid - b.oid;

/**
 * The nodes of a tree after some objects were looked at again, of which `shown` are in the tree. Undefined if the tree must be read anew: when an
 * object with content comes, goes or moves, and when a tree that reaches its limit gets or loses a node.
 */
function correctedRows(
  rows: readonly TreeRow[],
  { depth, limit }: Pick<TreeRequest, 'depth' | 'limit'>,
  asked: ReadonlySet<number>,
  shown: readonly ShownNode[],
): TreeRow[] | undefined {
  const former = new Map(rows.map((row) => [row.oid, row]));
  const rootOid = rows[0]?.level === 0 ? rows[0].oid : rows[0]?.parent;
  const levelIn = (parent: number | null): number =>
    (parent === rootOid ? 0 : (former.get(parent ?? 0)?.level ?? Number.NaN)) + 1;
  const present = new Map<number, TreeRow>();
  for (const { hasChildren, ...node } of shown) {
    const row = { ...node, level: levelIn(node.parent) };
    const known = former.get(row.oid);
    const isInPlace = known?.parent === row.parent && known.path === row.path;
    if (known ? !isInPlace : hasChildren && row.level < depth) return undefined;
    present.set(row.oid, row);
  }
  const gone = new Set([...asked].filter((oid) => former.has(oid) && !present.has(oid)));
  const corrected = rows.filter(({ oid }) => !asked.has(oid)).concat([...present.values()]);
  if (corrected.some(({ parent }) => parent !== null && gone.has(parent))) return undefined;
  const isFull = Math.max(rows.length, corrected.length) >= limit;
  const isReordered = [...present.values()].some(({ oid, position }) => former.get(oid)?.position !== position);
  if (isFull && (isReordered || corrected.length !== rows.length)) return undefined;
  return corrected.sort(byPlace);
}

/** Corrects a tree; undefined if it must be read anew. */
async function correctedTree(
  db: Queryable,
  request: TreeRequest,
  { tree, change: { objects } }: { tree: Tree; change: KnownChange },
): Promise<Tree | undefined> {
  const { rows, tags } = tree;
  // A change of the root may change which tree it is.
  if (tags === undefined || objects.size > MAX_CHANGED || [...tags.objects].some((oid) => objects.has(oid)))
    return undefined;
  const shown = await shownAmong(db, request, { oids: [...objects], containers: [...tags.containers] });
  const corrected = correctedRows(rows, request, objects, shown);
  return corrected && new Tree(corrected, request);
}

/** The means to keep the tree of a request if it has `least` nodes. */
export const treeSource = (db: Queryable, request: TreeRequest, least: number): ValueSource<Tree> => ({
  read: async () => new Tree(await treeRows(db, request), request),
  async corrected(tree, change) {
    return isTouched(tree.tags, change) ? correctedTree(db, request, { tree, change }) : tree;
  },
  isKept: ({ rows }) => rows.length >= least,
});

const keyOf = ({ rule, ...request }: TreeRequest): string => JSON.stringify([rule.named(''), request]);

/**
 * The tree of a request: a kept one, in which only changed objects are looked at again, or a new one. It is that of one moment, at or after the
 * beginning of the call. One statement for a new one.
 */
export async function treeOf({ kernel, db, madeOf }: RenderContext, request: TreeRequest): Promise<Tree> {
  const trees = madeOf && servesKept(kernel.slots, db) ? kernel.slots.find(KEPT_TREES) : undefined;
  const least = kernel.db.writes === undefined ? MIN_NODES : 0;
  const kept = await trees?.whole(keyOf(request), treeSource(db, request, least));
  if (kept === undefined) return new Tree(await treeRows(db, request), request);
  madeOf?.(kept.tags);
  return kept;
}
