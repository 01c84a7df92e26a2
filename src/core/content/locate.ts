import type { Queryable } from '../../database/database.ts';
import { Conflict } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { ResolvedNode, TreeNode } from '../types/content-row.ts';
import { type FoundWay, requireAsFound } from './statements/found-way.ts';
import { locateContent, lockRows, type ResolvedRow } from './statements/load-content.ts';
import { pathsTo, ROOT } from './tree-path.ts';

/** Result of the lookup of a path: the object with its containers up to the root, or the part of the path that exists. */
export type LookupResult = {
  site: Site;
  resolved: ResolvedNode | undefined;
  /** The objects along the path, the deepest first; never empty. */
  nodes: TreeNode[];
  /** The state that was found, by which later statements compare it. */
  state: { configuration: string; rowVersions: readonly string[] };
};

const isWhole = (row: ResolvedRow | undefined, path: string): row is ResolvedRow & ResolvedNode['object'] =>
  row !== undefined && row.path === path && row.fields !== undefined && row.fields !== null;

async function find(kernel: Kernel, db: Queryable, rows: ResolvedRow[], path: string): Promise<LookupResult> {
  const nodes = [...rows].reverse();
  const [target, ...ancestors] = nodes;
  if (!target) throw new Error('The site has no root');
  const site = await kernel.sites.at(target.configuration, db === kernel.db ? undefined : db);
  const state = { configuration: target.configuration, rowVersions: rows.map(({ rowVersion }) => rowVersion) };
  return { site, nodes, resolved: isWhole(target, path) ? { object: target, ancestors } : undefined, state };
}

/** Looks up a path with one SQL statement, which also returns the present configuration of the site. */
export async function locate(kernel: Kernel, path: string, db: Queryable = kernel.db): Promise<LookupResult> {
  return find(kernel, db, await locateContent(db, pathsTo(path), path), path);
}

/**
 * Finds the object at a path; undefined when nothing is there. Checks no permission. Pass a transaction as `db`.
 * @example const news = await findContent(kernel, '/news');
 */
export const findContent = async (
  kernel: Kernel,
  path: string,
  db: Queryable = kernel.db,
): Promise<ResolvedNode | undefined> => (await locate(kernel, path, db)).resolved;

/** Effect of a write at its path: to add below it, or to change the object, its name or its place. */
export type LockMode = 'add-inside' | 'change';

/** A path of a write, the effect of the write there, and an earlier finding that the write relies on (`writeAsFound`). */
export type LockRequest = { path: string; lockMode: LockMode; before?: LookupResult | undefined };

/** Maximum number of attempts of a write to lock its paths while other writers change them. */
const MAX_ATTEMPTS = 5;

/** Maps each path from the root to the places to true if it is locked exclusively. */
function modesOf(places: readonly LockRequest[]): Map<string, boolean> {
  const modes = new Map<string, boolean>();
  for (const { path, lockMode } of places) {
    const paths = pathsTo(path);
    const changed = lockMode === 'change' ? paths.at(-1) : undefined;
    for (const step of paths) modes.set(step, (modes.get(step) ?? false) || step === changed);
  }
  return modes;
}

/** The order in which all writers lock rows, as in `lockRows`: shorter paths first, then by bytes. */
const inOrder = (a: string, b: string): number =>
  [...a].length - [...b].length || Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Locks the paths to all places. Returns the oids that are locked, each with true for an exclusive lock; none if the locks are deferred. */
async function lockNodes(
  tx: Queryable,
  modes: ReadonlyMap<string, boolean>,
  options: { deferred: boolean },
): Promise<Map<number, boolean>> {
  const runs: { paths: string[]; exclusive: boolean }[] = [];
  for (const path of [...modes.keys()].sort(inOrder)) {
    const exclusive = modes.get(path) ?? false;
    const run = runs.at(-1);
    if (run?.exclusive === exclusive) run.paths.push(path);
    else runs.push({ paths: [path], exclusive });
  }
  const held = await Promise.all(
    runs.map(async ({ paths, exclusive }) => {
      const oids = await lockRows(tx, paths, exclusive ? 'exclusive' : 'shared', options);
      return oids.map((oid) => [oid, exclusive] as const);
    }),
  );
  return new Map(held.flat());
}

/** Says if all objects on the path are locked in the required modes: a concurrent writer may have put another object there. */
const isHeld = (
  { nodes }: LookupResult,
  modes: ReadonlyMap<string, boolean>,
  held: ReadonlyMap<number, boolean>,
): boolean => nodes.every(({ oid, path }) => held.has(oid) && (held.get(oid) === true || modes.get(path) !== true));

/** The path of an earlier finding that a write may rely on; undefined for either side of a check-out, which is stored elsewhere too. */
export function wayOf({ resolved, state }: LookupResult, path: string): FoundWay | undefined {
  const object = resolved?.object;
  if (object?.path !== path || object.workingCopy || object.workingCopyOf) return undefined;
  return { paths: pathsTo(path), oid: object.oid, ...state };
}

/**
 * Looks up several paths inside a write and locks them with their containers, in the same order for all writers, so that writers at the same places
 * wait for each other without deadlocks. Throws Conflict when others keep changing the objects there. A single place with an earlier finding is
 * locked and compared with the next awaited statement, which fails when the finding is outdated.
 */
export async function locateAllForWrite(
  kernel: Kernel,
  tx: Queryable,
  places: readonly LockRequest[],
): Promise<LookupResult[]> {
  const find = ({ path }: LockRequest): Promise<LookupResult> => locate(kernel, path, tx);
  // The embedded database runs one transaction at a time, so no locks are needed.
  const isLocking = kernel.db.engine !== 'pglite';
  const modes = modesOf(places);
  const [{ path = '', before } = {}, ...others] = places;
  const way = before && others.length === 0 ? wayOf(before, path) : undefined;
  if (before && way) {
    if (isLocking) await lockNodes(tx, modes, { deferred: true });
    await requireAsFound(tx, way);
    return [before];
  }
  if (!isLocking) return Promise.all(places.map(find));
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    // The statements are issued at once, so that they are sent together; the database runs one after the other.
    const [held, ...findings] = await Promise.all([lockNodes(tx, modes, { deferred: false }), ...places.map(find)]);
    if (findings.every((lookup) => isHeld(lookup, modes, held))) return findings;
  }
  throw new Conflict('Other requests keep moving the same content. Try again.');
}

/**
 * Looks up a path inside a write and locks it with its containers: its address and its security cannot change before the transaction ends. See
 * `locateAllForWrite`.
 */
export async function locateForWrite(
  kernel: Kernel,
  path: string,
  tx: Queryable,
  lockMode: LockMode,
  before?: LookupResult,
): Promise<LookupResult> {
  const [lookup] = await locateAllForWrite(kernel, tx, [{ path, lockMode, before }]);
  if (!lookup) throw new Error('A place without a finding');
  return lookup;
}

/** Says if an object is the site root. */
export const isRoot = (node: TreeNode): boolean => node.path === ROOT;
