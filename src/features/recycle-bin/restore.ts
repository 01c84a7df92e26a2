import {
  ADD,
  brokenUniqueConstraint,
  type Caller,
  catalogRowOf,
  childPath,
  DELETE,
  freeName,
  has,
  insertCatalogRows,
  insertReferences,
  internalPath,
  type Kernel,
  locateForWrite,
  MAX_PATH_BYTES,
  parentPath,
  type Queryable,
  type ResolvedNode,
  referencesOf,
  reject,
  type Site,
  type security,
  securityNode,
  subtreeNodes,
  type Transaction,
  type TreeNode,
  takesType,
  VIEW,
} from '#core';
import { BadRequest, Conflict, Forbidden } from '#lib/errors';
import { requireRecycled } from './access.ts';
import type { BinView, RecycledEntry } from './statements/entries.ts';
import {
  type RecycledTop,
  recycledSubtree,
  recycledTop,
  recycleParentPath,
  restoredObjects,
  restoreRecycled,
} from './statements/restore.ts';

export type RestoreRequest = {
  caller: Caller;
  /** Id of the entry. */
  id: string;
  /** Path or address of the folder to restore to; undefined for the one that it was in. */
  target: string | undefined;
  /** UID of the object to restore alone with everything below it; undefined for the deleted object. */
  restoreId: string | undefined;
  bases: readonly string[];
  /** Restores only at the old place, under the old id. */
  sameName?: boolean;
};

/** The restored object as it is now. */
export type Restored = { path: string; name: string; type: string; title: string };

/**
 * The object to restore, and the path of its container: the requested one, or the one that it was in. Throws BadRequest for
 * an unknown `restoreId`, and for a target that is no path.
 */
async function findTarget(
  tx: Transaction,
  { entry, view }: { entry: RecycledEntry; view: BinView | undefined },
  { target, restoreId, bases }: RestoreRequest,
) {
  const top = await recycledTop(tx, entry, restoreId === undefined ? {} : { uid: restoreId, view });
  if (!top) throw new BadRequest(`There is nothing with the restore_id "${restoreId}" in this entry.`);
  if (target !== undefined) {
    const internal = internalPath(target, bases);
    if (!internal || !('path' in internal) || internal.suffix !== '')
      throw new BadRequest('"target_path" must be the path of a folder, such as /news.');
    return { top, container: internal.path, inPlace: false };
  }
  if (top.path !== entry.path) throw new BadRequest('What was inside needs a "target_path": the folder to restore to.');
  // The container may have moved, or have been replaced by another one at the same path.
  const container = (await recycleParentPath(tx, top.parent)) ?? parentPath(top.path) ?? '/';
  return { top, container, inPlace: true };
}

/**
 * Locks and returns the container. Throws BadRequest when the container is missing, Forbidden when it does not accept the type, and
 * Unauthorized or Forbidden when the caller may not add such content there. Restoring to the old place needs only the permission to
 * delete: everybody must be able to undo an accidental deletion.
 */
async function requireTarget(
  kernel: Kernel,
  tx: Transaction,
  caller: Caller,
  { top, container, inPlace }: { top: RecycledTop; container: string; inPlace: boolean },
): Promise<{ site: Site; resolved: ResolvedNode }> {
  const { site, resolved } = await locateForWrite(kernel, container, tx, 'change');
  if (!resolved || !has(site, caller, resolved, VIEW))
    throw new BadRequest(
      inPlace
        ? `The folder ${container} is gone. Give a "target_path": the folder to restore to.`
        : `There is no folder ${container}.`,
    );
  const type = site.types.get(top.type);
  const folderish = site.types.get(resolved.object.type)?.folderish ?? false;
  const mayAdd = has(site, caller, resolved, type?.add_permission ?? ADD);
  if (!mayAdd && !(inPlace && has(site, caller, resolved, DELETE))) reject(caller);
  if (!folderish || (!inPlace && type && !takesType(site, resolved, type)))
    throw new Forbidden(`"${top.type}" may not be added to a ${resolved.object.type} here.`);
  return { site, resolved };
}

const uidInUse = () => new BadRequest('There is other content with the same UID: this cannot be restored.');

/**
 * Restores an object with everything below it from the recycle bin, with its UIDs, order, history and old addresses, in
 * one transaction. It gets another id when its own is taken. Throws NotFound, Unauthorized, Forbidden, or BadRequest
 * when there is no container, a type is gone, or a UID is in use again.
 */
export async function restoreContent(kernel: Kernel, request: RestoreRequest): Promise<Restored> {
  const work = kernel.db.transaction((tx) => restoreWithin(kernel, tx, request));
  return work.catch((error: unknown) => {
    // Content with one of the UIDs was added after they were checked.
    if (brokenUniqueConstraint(error) === 'content_uid_key') throw uidInUse();
    throw error;
  });
}

/** The same in a transaction of the caller. With `sameName` it throws BadRequest when its id is taken. */
export async function restoreWithin(kernel: Kernel, tx: Transaction, request: RestoreRequest): Promise<Restored> {
  const { caller, id, sameName = false } = request;
  const { entry, view } = await requireRecycled(kernel, tx, caller, { id, lock: true });
  const target = await findTarget(tx, { entry, view }, request);
  const { top, inPlace } = target;
  const { site, resolved } = await requireTarget(kernel, tx, caller, target);
  const { object } = resolved;
  if (inPlace && object.oid !== top.parent && object.path !== parentPath(top.path))
    throw new Conflict('The folder is being moved. Try again.');
  const { longest, taken, types } = await recycledSubtree(tx, id, top.path);
  if (taken) throw uidInUse();
  const gone = types.find((type) => !site.types.has(type));
  if (gone !== undefined) throw new BadRequest(`The content type "${gone}" was removed. Make it again, then restore.`);
  const name = await freeName(tx, object.oid, top.name);
  if (sameName && name !== top.name) throw new BadRequest(`The id "${top.name}" is already in use in ${object.path}.`);
  if (sameName && object.oid !== top.parent)
    throw new BadRequest(`The folder that ${top.path} was in does not exist any more.`);
  const path = childPath(object.path, name);
  if (longest - Buffer.byteLength(top.path) + Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new Forbidden('The path would be too long. Choose a place further up.');
  await restoreRecycled(tx, {
    entry: id,
    from: top.path,
    to: path,
    name,
    parent: object.oid,
    append: object.oid !== top.parent,
  });
  await indexRestored(kernel, tx, { site, path, ancestors: [object, ...resolved.ancestors] });
  await kernel.events.emit('content.restored', { oid: top.oid, from: top.path, to: path, site }, { tx, caller });
  return { path, name, type: top.type, title: top.title };
}

/** Number of objects whose fields are in memory at once. */
const INDEX_BATCH_SIZE = 500;

/**
 * Indexes restored content in the catalog and the references, by the present types, workflows and roles. `ancestors`
 * begin with the container.
 */
async function indexRestored(
  kernel: Kernel,
  tx: Queryable,
  { site, path, ancestors }: { site: Site; path: string; ancestors: readonly TreeNode[] },
): Promise<void> {
  const above = ancestors.map((node) => securityNode(site, node));
  const nodes = await subtreeNodes(tx, path);
  const chains = new Map<string, security.Node[]>();
  for (const node of nodes)
    chains.set(node.path, [securityNode(site, node), ...(chains.get(parentPath(node.path) ?? '') ?? above)]);
  for (let at = 0; at < nodes.length; at += INDEX_BATCH_SIZE) {
    const oids = nodes.slice(at, at + INDEX_BATCH_SIZE).map(({ oid }) => oid);
    const objects = await restoredObjects(tx, oids);
    await insertCatalogRows(
      tx,
      objects.map((object) => catalogRowOf(site, object, chains.get(object.path) ?? above)),
    );
    await insertReferences(
      tx,
      objects.map((object) => ({ oid: object.oid, references: referencesOf(kernel, site, object) })),
    );
  }
}
