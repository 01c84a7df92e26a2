import {
  ADD,
  access,
  type Caller,
  contentPath,
  DELETE,
  has,
  indexing,
  type Kernel,
  locateForWrite,
  type ResolvedNode,
  references,
  reject,
  type Site,
  sqlErrors,
  type Transaction,
  tree,
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
  restoreRecycled,
} from './statements/restore.ts';

export type RestoreRequest = {
  caller: Caller;
  /** Id of the entry. */
  id: string;
  /** Path or address of the folder to restore to; undefined for its old container. */
  target: string | undefined;
  /** UID of the object to restore with everything below it; undefined for the deleted object. */
  restoreId: string | undefined;
  bases: readonly string[];
  /** True to restore only at the old place, with the old id. */
  sameName?: boolean;
};

/** The restored object as it is now. */
export type Restored = { path: string; name: string; type: string; title: string };

/**
 * The object to restore, and the path of the requested or the old container. Throws BadRequest for an unknown `restoreId`, and for a target that is
 * no path.
 */
async function findTarget(
  tx: Transaction,
  { entry, view }: { entry: RecycledEntry; view: BinView | undefined },
  { target, restoreId, bases }: RestoreRequest,
) {
  const top = await recycledTop(tx, entry, restoreId === undefined ? {} : { uid: restoreId, view });
  if (!top) throw new BadRequest(`There is nothing with the restore_id "${restoreId}" in this entry.`);
  if (target !== undefined) {
    const internal = references.parseLink(target, bases);
    if (!internal || !('path' in internal) || internal.suffix !== '')
      throw new BadRequest('"target_path" must be the path of a folder, such as /news.');
    return { top, container: internal.path, inPlace: false };
  }
  if (top.path !== entry.path) throw new BadRequest('What was inside needs a "target_path": the folder to restore to.');
  // The container may have moved, or another container may be at its path.
  const container = (await recycleParentPath(tx, top.parent)) ?? contentPath.parent(top.path) ?? '/';
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
  if (!folderish || (!inPlace && type && !access.takesType(site, resolved, type)))
    throw new Forbidden(`"${top.type}" may not be added to a ${resolved.object.type} here.`);
  return { site, resolved };
}

const uidInUse = () => new BadRequest('There is other content with the same UID: this cannot be restored.');

/**
 * Restores an object with everything below it from the recycle bin, with its UIDs, order, history and old addresses, in one transaction. The object
 * gets another id when its own is taken. Throws NotFound, Unauthorized, Forbidden, or BadRequest when there is no container, a type is gone, or a UID
 * is in use again.
 */
export async function restoreContent(kernel: Kernel, request: RestoreRequest): Promise<Restored> {
  const work = kernel.db.transaction((tx) => restoreWithin(kernel, tx, request));
  return work.catch((error: unknown) => {
    // Content with one of the UIDs was added after they were checked.
    if (sqlErrors.brokenUniqueConstraint(error) === 'content_uid_key') throw uidInUse();
    throw error;
  });
}

/** Restores like `restoreContent` in the given transaction. With `sameName` it throws BadRequest when the id is taken. */
export async function restoreWithin(kernel: Kernel, tx: Transaction, request: RestoreRequest): Promise<Restored> {
  const { caller, id, sameName = false } = request;
  const { entry, view } = await requireRecycled(kernel, tx, caller, { id, lock: true });
  const target = await findTarget(tx, { entry, view }, request);
  const { top, inPlace } = target;
  const { site, resolved } = await requireTarget(kernel, tx, caller, target);
  const { object } = resolved;
  if (inPlace && object.oid !== top.parent && object.path !== contentPath.parent(top.path))
    throw new Conflict('The folder is being moved. Try again.');
  const { longest, taken, types } = await recycledSubtree(tx, id, top.path);
  if (taken) throw uidInUse();
  const gone = types.find((type) => !site.types.has(type));
  if (gone !== undefined) throw new BadRequest(`The content type "${gone}" was removed. Make it again, then restore.`);
  const name = await tree.freeName(tx, object.oid, top.name);
  if (sameName && name !== top.name) throw new BadRequest(`The id "${top.name}" is already in use in ${object.path}.`);
  if (sameName && object.oid !== top.parent)
    throw new BadRequest(`The folder that ${top.path} was in does not exist any more.`);
  const path = contentPath.child(object.path, name);
  if (longest - Buffer.byteLength(top.path) + Buffer.byteLength(path) > contentPath.MAX_BYTES)
    throw new Forbidden('The path would be too long. Choose a place further up.');
  await restoreRecycled(tx, {
    entry: id,
    from: top.path,
    to: path,
    name,
    parent: object.oid,
    append: object.oid !== top.parent,
  });
  await indexing.insertBelow(kernel, tx, { site, path, ancestors: [object, ...resolved.ancestors] });
  await kernel.events.emit('content.restored', { oid: top.oid, from: top.path, to: path, site }, { tx, caller });
  return { path, name, type: top.type, title: top.title };
}
