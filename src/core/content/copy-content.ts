import type { Queryable, Transaction } from '../../database/database.ts';
import { within } from '../../database/transactions.ts';
import { BadRequest } from '../../lib/errors.ts';
import { viewersOf } from '../configuration/panels/publishing.ts';
import type { Site } from '../configuration/site/site.ts';
import { workflowOf } from '../configuration/workflow/workflow.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { subtreeNodes } from '../search/statements/catalog.ts';
import type { Viewers } from '../search/statements/view-rule.ts';
import { copyCatalogRows } from '../search/statements/viewers.ts';
import { type Caller, callerAt, rolesOfNew } from '../security/caller.ts';
import type { SecurityNode } from '../security/can.ts';
import type { ResolvedNode, TreeNode } from '../types/content-row.ts';
import { isRoot } from './locate.ts';
import { checkPathLength, freeName } from './name-chooser.ts';
import { securityNode } from './permissions.ts';
import {
  checkSubtreePaths,
  freeNameFor,
  lockSources,
  type Relocated,
  type RelocateRequest,
  requireAddable,
} from './relocate.ts';
import { writtenViewers } from './security-index.ts';
import { copySubtree } from './statements/subtrees.ts';
import { childPath, parentPath } from './tree-path.ts';

/**
 * Writes the catalog rows of a copied subtree: the searched values are those of the originals, the viewers follow from the place of the copies. Runs
 * two statements for a subtree of any size. `ancestors` begin with the container.
 */
export async function indexCopies(
  tx: Queryable,
  site: Site,
  { from, to, ancestors }: { from: string; to: string; ancestors: readonly TreeNode[] },
): Promise<void> {
  const above = ancestors.map((node) => securityNode(site, node));
  const chains = new Map<string, SecurityNode[]>();
  const viewers = (await subtreeNodes(tx, to)).map((node) => {
    const chain = [securityNode(site, node), ...(chains.get(parentPath(node.path) ?? '') ?? above)];
    chains.set(node.path, chain);
    return { path: node.path, ...writtenViewers(site, chain) };
  });
  await copyCatalogRows(tx, { from, to, viewers });
}

/** The initial state of each type. */
const beginnings = (site: Site) =>
  [...site.types.keys()].flatMap((type) => {
    const workflow = workflowOf(site, type);
    return workflow ? { type, workflow: workflow.id, state: workflow.initial_state } : [];
  });

/**
 * Copies a held object into a held container, with the content below it that `viewers` may view (no content for no principals). The copy is named
 * `name`, or the next free name like it; without `name` it gets the usual name of copies. The copy belongs to the caller, and is in the first state
 * of its workflow. Throws Unauthorized or Forbidden without the right to add it there, and Forbidden for paths that get too long.
 */
export async function copyHeld(
  tx: Transaction,
  site: Site,
  caller: Caller,
  {
    container,
    source,
    viewers,
    name,
    now = new Date(),
  }: {
    container: ResolvedNode;
    source: ResolvedNode;
    viewers: Viewers;
    name?: string;
    now?: Date;
  },
): Promise<{ oid: number; path: string }> {
  requireAddable(site, caller, container, source);
  const { oid, path: from } = source.object;
  const { oid: parent, path: folder } = container.object;
  const free = await (name === undefined ? freeNameFor(tx, parent, source.object.name) : freeName(tx, parent, name));
  const path = checkPathLength(childPath(folder, free));
  if (viewers.principals.length > 0) await checkSubtreePaths(tx, from, path);
  const copy = await copySubtree(tx, {
    ...{ oid, from, parent, now },
    ...viewers,
    name: free,
    to: path,
    owner: caller.id ?? 'anonymous',
    localRoles: rolesOfNew(caller),
    workflows: beginnings(site),
  });
  return { oid: copy, path };
}

/** Copies one held object with everything below it that the caller may view. Returns the copy's path. */
async function copyOne(
  kernel: Kernel,
  tx: Transaction,
  {
    site,
    caller,
    container,
    source,
    viewers,
  }: {
    site: Site;
    caller: Caller;
    container: ResolvedNode;
    source: ResolvedNode;
    viewers: Viewers;
  },
): Promise<string> {
  if (isRoot(source.object)) throw new BadRequest('The site root cannot be copied.');
  const { oid, path: to } = await copyHeld(tx, site, caller, { container, source, viewers });
  await kernel.events.emit('content.copied', { oid, from: source.object.path, to, site }, { tx, caller });
  return to;
}

/**
 * Copies objects into a container, all in one transaction. Copies are new objects of the caller: other UIDs, the first state of their workflow, no
 * history, lock or roles of others. References keep their targets (plone.restapi, W19). Content below a source that the caller may not view is not
 * copied, because the caller would own the copy. Throws BadRequest for the site root, Unauthorized or Forbidden without the right to add.
 * @param options `tx` is the transaction of the caller; `viewer` must be able to view the content below a source; the caller unless given
 */
export const copyContent = (
  kernel: Kernel,
  request: RelocateRequest,
  { tx: around, viewer }: { tx?: Transaction | undefined; viewer?: Caller } = {},
): Promise<Relocated[]> => within(kernel.db, around, (tx) => copyAll(kernel, tx, request, viewer));

async function copyAll(
  kernel: Kernel,
  tx: Transaction,
  request: RelocateRequest,
  viewer: Caller | undefined,
): Promise<Relocated[]> {
  const { caller } = request;
  // The sources are held against changes below them, so that the copy shows one moment.
  const { site, container, sources } = await lockSources(kernel, tx, request, 'change');
  const done: Relocated[] = [];
  for (const source of sources) {
    const viewers = viewersOf(site, viewer ?? callerAt(caller, source.object.path));
    const target = await copyOne(kernel, tx, { site, caller, container, source, viewers });
    done.push({ source: source.object.path, target });
  }
  return done;
}
