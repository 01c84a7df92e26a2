import type { Transaction } from '../../database/database.ts';
import { within } from '../../database/transactions.ts';
import { BadRequest } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import { DELETE } from '../security/permissions.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import { isRoot } from './locate.ts';
import { requireUnlocked } from './locking.ts';
import { checkName, checkPathLength } from './name-chooser.ts';
import { requirePermission } from './permissions.ts';
import {
  checkSubtreePaths,
  freeNameFor,
  lockSources,
  type Relocated,
  type RelocatePlaces,
  type RelocateRequest,
  requireAddable,
} from './relocate.ts';
import { setPositions } from './statements/child-order.ts';
import { rememberMove } from './statements/redirects.ts';
import { hasChild, moveSubtree, renameSubtree } from './statements/subtrees.ts';
import { childPath, isAtOrBelow, parentPath } from './tree-path.ts';

/**
 * Gives a held object another id. Everything below moves along, and old addresses lead to the new ones. Returns the new path. Throws BadRequest when
 * the id is taken or malformed, and the driver's unique violation when a concurrent write takes it; the transaction is tried again then.
 */
export async function renameContent(
  kernel: Kernel,
  tx: Transaction,
  { caller, site, resolved, name: wished }: { caller: Caller; site: Site; resolved: ResolvedNode; name: unknown },
): Promise<string> {
  const { object } = resolved;
  const container = parentPath(object.path);
  if (container === undefined || object.parent === null) throw new BadRequest('The site root cannot be renamed.');
  const name = checkName(wished);
  if (await hasChild(tx, object.parent, name))
    throw new BadRequest(`The id "${name}" is already in use here. Choose another one.`);
  return renameHeld(kernel, tx, { caller, site, resolved, container: { oid: object.parent, path: container }, name });
}

/** Gives a held object a name that is free in its container. Returns its new path. */
async function renameHeld(
  kernel: Kernel,
  tx: Transaction,
  {
    caller,
    site,
    resolved,
    container,
    name,
  }: { caller: Caller; site: Site; resolved: ResolvedNode; container: { oid: number; path: string }; name: string },
): Promise<string> {
  const { object } = resolved;
  const to = checkPathLength(childPath(container.path, name));
  await checkSubtreePaths(tx, object.path, to);
  await renameSubtree(tx, { oid: object.oid, name, from: object.path, to });
  await rememberMove(tx, object.path, to);
  const { oid, path: from, position } = object;
  const parent = container.oid;
  const before = { parent, name: object.name, position };
  const event = { oid, from, to, before, after: { parent, name }, left: resolved.ancestors, site };
  await kernel.events.emit('content.moved', event, { tx, caller });
  return to;
}

/** A move; `lockToken` is the value of the header `Lock-Token`. */
export type MoveRequest = RelocateRequest & { lockToken: string | undefined };

/** Throws when a source may not go into the container; then no source is moved. */
function requireMovable(
  { site, container, sources }: RelocatePlaces,
  { caller, lockToken }: Pick<MoveRequest, 'caller' | 'lockToken'>,
): void {
  for (const source of sources) {
    const { object } = source;
    if (isRoot(object)) throw new BadRequest('The site root cannot be moved.');
    requirePermission(site, caller, source, DELETE);
    requireOutside(container, source);
    requireUnlocked(object, lockToken);
    if (object.parent !== container.object.oid) requireAddable(site, caller, container, source);
  }
}

/**
 * Moves one held object into a held container, under a name that is free there. Returns its new path. Throws the driver's unique violation when a
 * concurrent write takes the name; the transaction is then tried again.
 */
async function moveHeld(
  kernel: Kernel,
  tx: Transaction,
  {
    caller,
    site,
    container,
    source,
    name,
  }: { caller: Caller; site: Site; container: ResolvedNode; source: ResolvedNode; name: string },
): Promise<string> {
  const { oid, path: from, parent: left, position } = source.object;
  const parent = container.object.oid;
  const to = checkPathLength(childPath(container.object.path, name));
  await checkSubtreePaths(tx, from, to);
  await moveSubtree(tx, { oid, parent, name, from, to });
  await rememberMove(tx, from, to);
  const before = { parent: left ?? parent, name: source.object.name, position };
  const event = { oid, from, to, before, after: { parent, name }, left: source.ancestors, site };
  await kernel.events.emit('content.moved', event, { tx, caller });
  return to;
}

/**
 * Puts a held object into a held container under a name of that container: renames it if it is already in the container, else moves it there to a
 * position. Throws BadRequest when the name is taken, and for a move into itself; Unauthorized or Forbidden without the right to add it there.
 */
export async function placeContent(
  kernel: Kernel,
  tx: Transaction,
  place: {
    caller: Caller;
    site: Site;
    container: ResolvedNode;
    source: ResolvedNode;
    name: string;
    position: number;
  },
): Promise<void> {
  const { caller, site, container, source, name, position } = place;
  const { oid, path } = container.object;
  if (await hasChild(tx, oid, name)) throw new BadRequest(`The id "${name}" is already in use in ${path}.`);
  if (source.object.parent === oid) {
    await renameHeld(kernel, tx, { caller, site, resolved: source, container: container.object, name });
    return;
  }
  requireOutside(container, source);
  requireAddable(site, caller, container, source);
  await moveHeld(kernel, tx, { caller, site, container, source, name });
  await setPositions(tx, [{ oid: source.object.oid, position }]);
}

/** Throws BadRequest for a container that is the source, or below it. */
function requireOutside(container: ResolvedNode, { object: { path } }: ResolvedNode): void {
  if (isAtOrBelow(container.object.path, path))
    throw new BadRequest(`${path} cannot be moved into itself or something below it.`);
}

/**
 * Moves objects with everything below them into a container, all in one transaction. They keep UID, dates, state and roles; their viewers are decided
 * anew, and old addresses lead to the new ones. A source below another source moves with that source. Throws BadRequest for the site root and for a
 * move into itself, Unauthorized or Forbidden without the right to add in the container or to remove a source, and Forbidden for a locked source.
 * @param options `tx` is the transaction of the caller
 */
export const moveContent = (
  kernel: Kernel,
  request: MoveRequest,
  { tx: around }: { tx?: Transaction | undefined } = {},
): Promise<Relocated[]> => within(kernel.db, around, (tx) => moveAll(kernel, tx, request));

async function moveAll(kernel: Kernel, tx: Transaction, request: MoveRequest): Promise<Relocated[]> {
  // An exclusive lock on the container would make all writers below it wait for a large move; at the root, all writers of the site.
  const places = await lockSources(kernel, tx, request, 'add-inside');
  const { site, container, sources } = places;
  requireMovable(places, request);
  const { caller } = request;
  const done: Relocated[] = [];
  for (const source of sources) {
    const { path } = source.object;
    if (sources.some((other) => other !== source && isAtOrBelow(path, other.object.path))) continue;
    // Sources that are in the container already do not move.
    if (source.object.parent === container.object.oid) {
      done.push({ source: path, target: path });
      continue;
    }
    const name = await freeNameFor(tx, container.object.oid, source.object.name);
    done.push({ source: path, target: await moveHeld(kernel, tx, { caller, site, container, source, name }) });
  }
  return done;
}
