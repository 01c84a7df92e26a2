import type { Kernel } from '../site/kernel.ts';
import type { Site } from '../site/site.ts';
import type { Located, TreeNode } from '../storage/content-row.ts';
import type { Queryable } from '../storage/database.ts';
import { holdContent, type LocatedRow, locateContent } from '../storage/statements/locate-content.ts';
import { pathsTo, ROOT } from './tree-path.ts';

/** What lies at a path: the object with its way from the root, or how far the way goes. */
export type Finding = {
  site: Site;
  located: Located | undefined;
  /** The objects that were found on the way, the deepest first; never empty. */
  nodes: TreeNode[];
};

const isWhole = (row: LocatedRow | undefined, path: string): row is LocatedRow & Located['object'] =>
  row !== undefined && row.path === path && row.fields !== undefined && row.fields !== null;

async function find(kernel: Kernel, db: Queryable, rows: LocatedRow[], path: string): Promise<Finding> {
  const nodes = [...rows].reverse();
  const [target, ...ancestors] = nodes;
  if (!target) throw new Error('The site has no root');
  const site = await kernel.sites.at(target.configuration, db);
  return { site, nodes, located: isWhole(target, path) ? { object: target, ancestors } : undefined };
}

/** Looks up a path with one SQL statement. The site's configuration that comes along is the present one. */
export async function locate(kernel: Kernel, path: string, db: Queryable = kernel.db): Promise<Finding> {
  return find(kernel, db, await locateContent(db, pathsTo(path), path), path);
}

/** What a write will do at its path: add below it, change the object, or change its name too. */
export type Hold = 'add-inside' | 'change' | 'rename';

/**
 * Looks up a path inside a write and holds it and its way from the root: neither its address nor
 * its security can change before the transaction ends. See `holdContent`.
 */
export async function locateForWrite(kernel: Kernel, path: string, tx: Queryable, hold: Hold): Promise<Finding> {
  const paths = pathsTo(path);
  const exclusive = hold === 'add-inside' ? 0 : hold === 'change' ? 1 : 2;
  const split = Math.max(0, paths.length - exclusive);
  await holdContent(tx, paths.slice(0, split), paths.slice(split));
  return locate(kernel, path, tx);
}

/** Whether an object is the site root. */
export const isRoot = (node: TreeNode): boolean => node.path === ROOT;
