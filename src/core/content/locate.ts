import type { Queryable } from '../../database/database.ts';
import { Conflict } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { ResolvedNode, TreeNode } from '../types/content-row.ts';
import { locateContent, lockRows, type ResolvedRow } from './statements/load-content.ts';
import { pathsTo, ROOT } from './tree-path.ts';

/** Result of the lookup of a path: the object with its containers up to the root, or the part of the path that exists. */
export type LookupResult = {
  site: Site;
  resolved: ResolvedNode | undefined;
  /** The objects that were found on the way, the deepest first; never empty. */
  nodes: TreeNode[];
};

const isWhole = (row: ResolvedRow | undefined, path: string): row is ResolvedRow & ResolvedNode['object'] =>
  row !== undefined && row.path === path && row.fields !== undefined && row.fields !== null;

async function find(kernel: Kernel, db: Queryable, rows: ResolvedRow[], path: string): Promise<LookupResult> {
  const nodes = [...rows].reverse();
  const [target, ...ancestors] = nodes;
  if (!target) throw new Error('The site has no root');
  const site = await kernel.sites.at(target.configuration, db === kernel.db ? undefined : db);
  return { site, nodes, resolved: isWhole(target, path) ? { object: target, ancestors } : undefined };
}

/** Looks up a path with one SQL statement. The site's configuration that comes along is the present one. */
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

/** Effect of a write at its path: add below it, or change the object, its name and place included. */
export type LockMode = 'add-inside' | 'change';

/** A path of a write, and what it will do there. */
export type LockRequest = { path: string; lockMode: LockMode };

/** Attempts of a write to lock its paths before it gives up, because other writers change them. */
const MAX_ATTEMPTS = 5;

/** Path to whether it is held exclusively, for all ways from the root. */
function modesOf(places: readonly LockRequest[]): Map<string, boolean> {
  const modes = new Map<string, boolean>();
  for (const { path, lockMode } of places) {
    const paths = pathsTo(path);
    const changed = lockMode === 'change' ? paths.at(-1) : undefined;
    for (const step of paths) modes.set(step, (modes.get(step) ?? false) || step === changed);
  }
  return modes;
}

/** The one order in which all writers take their holds, that of `lockRows`: shorter paths first, then by bytes. */
const inOrder = (a: string, b: string): number =>
  [...a].length - [...b].length || Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Locks the ways to all places. Returns the oids that are locked, and which of them exclusively. */
async function lockNodes(tx: Queryable, modes: ReadonlyMap<string, boolean>): Promise<Map<number, boolean>> {
  const runs: { paths: string[]; exclusive: boolean }[] = [];
  for (const path of [...modes.keys()].sort(inOrder)) {
    const exclusive = modes.get(path) ?? false;
    const run = runs.at(-1);
    if (run?.exclusive === exclusive) run.paths.push(path);
    else runs.push({ paths: [path], exclusive });
  }
  const held = await Promise.all(
    runs.map(async ({ paths, exclusive }) => {
      const oids = await lockRows(tx, paths, exclusive ? 'exclusive' : 'shared');
      return oids.map((oid) => [oid, exclusive] as const);
    }),
  );
  return new Map(held.flat());
}

/** Says if all objects on the way are locked in the required modes: a concurrent writer may have put another object there. */
const isHeld = (
  { nodes }: LookupResult,
  modes: ReadonlyMap<string, boolean>,
  held: ReadonlyMap<number, boolean>,
): boolean => nodes.every(({ oid, path }) => held.has(oid) && (held.get(oid) === true || modes.get(path) !== true));

/**
 * Looks up several paths inside a write and holds them with their ways from the root, in one order for all writers,
 * so that two writers at the same places wait for each other and never in a circle. Throws Conflict when others keep
 * changing what lies there.
 */
export async function locateAllForWrite(
  kernel: Kernel,
  tx: Queryable,
  places: readonly LockRequest[],
): Promise<LookupResult[]> {
  // The embedded database runs one transaction at a time: nobody is there to be held up.
  if (kernel.db.engine === 'pglite') return Promise.all(places.map(({ path }) => locate(kernel, path, tx)));
  const modes = modesOf(places);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    // Said at once, so that they are sent together; the database does one after the other.
    const [held, ...findings] = await Promise.all([
      lockNodes(tx, modes),
      ...places.map(({ path }) => locate(kernel, path, tx)),
    ]);
    if (findings.every((lookup) => isHeld(lookup, modes, held))) return findings;
  }
  throw new Conflict('Other requests keep moving the same content. Try again.');
}

/**
 * Looks up a path inside a write and holds it and its way from the root: neither its address nor
 * its security can change before the transaction ends. See `locateAllForWrite`.
 */
export async function locateForWrite(
  kernel: Kernel,
  path: string,
  tx: Queryable,
  lockMode: LockMode,
): Promise<LookupResult> {
  const [lookup] = await locateAllForWrite(kernel, tx, [{ path, lockMode }]);
  if (!lookup) throw new Error('A place without a finding');
  return lookup;
}

/** Says if an object is the site root. */
export const isRoot = (node: TreeNode): boolean => node.path === ROOT;
