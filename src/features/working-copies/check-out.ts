import {
  access,
  type Caller,
  contentPath,
  contentRows,
  fieldValues,
  type Kernel,
  locateAllForWrite,
  locks,
  MODIFY,
  publishing,
  type ResolvedNode,
  reject,
  requirePermission,
  type Site,
  security,
  speaksPlone,
  type Transaction,
  type TreeNode,
  tree,
  VIEW,
  workflowOf,
} from '#core';
import { NotFound } from '#lib/errors';
import { CHECK_OUT, canCheckOut, requireNotLockedByOthers } from './sides.ts';
import { linkWorkingCopy } from './statements.ts';

/** A request to check out the object at `path`; `lockToken` is the value of the header `Lock-Token`. */
type CheckOutRequest = { caller: Caller; path: string; lockToken: string | undefined };

/** Copies the locked object into its own container, without its children. */
async function copyBeside(
  tx: Transaction,
  site: Site,
  caller: Caller,
  { container, baseline, now }: { container: ResolvedNode; baseline: ResolvedNode; now: Date },
): Promise<{ oid: number; path: string }> {
  const { object } = baseline;
  const { oid, path } = await tree.copyHeld(tx, site, caller, {
    container,
    source: baseline,
    ...(speaksPlone(site) && { name: `working_copy_of_${object.name}` }),
    // Only children that these tokens may view are copied, so without tokens no children are.
    viewers: publishing.viewersOf(site, { principals: [] }),
    now,
  });
  await contentRows.update(tx, oid, {
    // Copies lose their date of publication. The check-in takes the date from the copy, so the date is set again.
    ...(object.effective && { effective: object.effective }),
    inheritRoles: object.inheritRoles,
    localPermissions: permissionsOfCopy(site, container, {
      ...object,
      path,
      reviewState: workflowOf(site, object.type)?.initial_state ?? null,
    }),
  });
  return { oid, path };
}

/** Roles that must not see unfinished content. */
const PUBLIC_ROLES: ReadonlySet<string> = new Set(['Anonymous', 'Authenticated', 'Member']);

/**
 * The permissions of a working copy: those of its baseline. If everybody would see the copy, because its initial state is public, or because it has
 * no workflow and its container is public, only users who may modify it see it.
 */
function permissionsOfCopy(site: Site, container: ResolvedNode, copy: TreeNode): TreeNode['localPermissions'] {
  const chain = [access.node(site, copy), ...access.chain(site, container)];
  const isPublic = (role: string): boolean => PUBLIC_ROLES.has(role);
  if (![...security.rolesWith(VIEW, chain, site.roleMap)].some(isPublic)) return copy.localPermissions;
  const roles = [...security.rolesWith(MODIFY, chain, site.roleMap)].filter((role) => !isPublic(role));
  return { ...copy.localPermissions, [VIEW]: { roles, acquire: false } };
}

/**
 * Checks content out, in one transaction with its events: makes a working copy in the same container, which the caller
 * owns, and locks the content for everybody as long as the copy exists. Children are not copied. Returns the path and title
 * of the working copy. Throws NotFound; Unauthorized or Forbidden without the permissions to check out and to add such
 * content there, and for content that is checked out already, is a working copy or the site root, or is locked by somebody
 * else.
 */
export async function checkOut(
  kernel: Kernel,
  { caller, path, lockToken }: CheckOutRequest,
): Promise<{ path: string; title: string }> {
  const folder = contentPath.parent(path);
  if (folder === undefined) reject(caller, 'Checkout not allowed: there is no working copy of the site root.');
  return kernel.db.transaction(async (tx) => {
    const [outer, inner] = await locateAllForWrite(kernel, tx, [
      { path: folder, lockMode: 'change' },
      { path, lockMode: 'change' },
    ]);
    if (!outer?.resolved || !inner?.resolved) throw new NotFound(path);
    const { site, resolved: baseline } = inner;
    const { object } = baseline;
    requirePermission(site, caller, baseline, VIEW);
    requirePermission(site, caller, baseline, CHECK_OUT);
    if (!canCheckOut(object)) reject(caller, 'Checkout not allowed: there is a working copy, or this is one.');
    requireNotLockedByOthers(caller, object, lockToken);
    const now = new Date();
    const copy = await copyBeside(tx, site, caller, { container: outer.resolved, baseline, now });
    await linkWorkingCopy(tx, {
      copy: copy.oid,
      baseline: object.oid,
      lock: locks.ofWorkingCopy(caller, now),
      base: { values: fieldValues.of(object), layout: object.layout },
    });
    if (object.lock) await contentRows.update(tx, object.oid, { lock: null });
    await kernel.events.emit('content.copied', { oid: copy.oid, from: path, to: copy.path, site }, { tx, caller });
    return { path: copy.path, title: object.title };
  });
}
