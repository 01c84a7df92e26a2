import type { Queryable, Transaction } from '../../database/database.ts';
import { BadRequest, Conflict, Forbidden, NotFound } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import { ADD, VIEW } from '../security/permissions.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import { internalPath } from './blocks/internal-path.ts';
import { type LockMode, type LockRequest, locateAllForWrite } from './locate.ts';
import { MAX_PATH_BYTES } from './name-chooser.ts';
import { has, reject, requirePermission, takesType } from './permissions.ts';
import { pathsOfUids } from './statements/references.ts';
import { freeCopyNumber, hasChild, longestPath } from './statements/subtrees.ts';
import { ROOT } from './tree-path.ts';

/** Names of copies in Plone: a prefix before the id. A longer number does not come from a copy. */
const COPY_NAME = /^copy(\d{0,6})_of_(.+)$/s;

/** UTF-16 units of the original id that its copies keep, so that no id with a prefix gets too long. */
const MAX_ORIGINAL_LENGTH = 180;

/** Number of candidates that are tried first; every further attempt tries twice as many. */
const FIRST_CANDIDATES = 50;
const MAX_COPY_NUMBER = 1_000_000;

/** The name, cut to its maximum length, without half a surrogate pair at its end. */
const cut = (name: string): string =>
  name.length <= MAX_ORIGINAL_LENGTH ? name : name.slice(0, MAX_ORIGINAL_LENGTH).replace(/[\ud800-\udbff]$/, '');

/**
 * The name that an object gets in a container: its own name, or when it is taken `copy_of_<name>`, `copy2_of_<name>`, … (OFS.CopySupport of Zope; a
 * copy of `copy_of_x` is `copy2_of_x`). The container is held exclusively by the caller.
 */
export async function freeNameFor(tx: Queryable, parent: number, name: string): Promise<string> {
  if (!(await hasChild(tx, parent, name))) return name;
  const [, number, original = name] = COPY_NAME.exec(name) ?? [];
  const kept = cut(original);
  let first = number === undefined ? 1 : Number(number || '1') + 1;
  for (let count = FIRST_CANDIDATES; first < MAX_COPY_NUMBER; count *= 2) {
    const n = await freeCopyNumber(tx, { parent, name: kept, first, last: first + count - 1 });
    if (n !== undefined) return `copy${n === 1 ? '' : n}_of_${kept}`;
    first += count;
  }
  throw new BadRequest(`There are too many copies of "${name}" here.`);
}

/** Throws Forbidden when a path at or below `from` would become too long by the move from `from` to `to`. */
export async function checkSubtreePaths(tx: Queryable, from: string, to: string): Promise<void> {
  const more = Buffer.byteLength(to) - Buffer.byteLength(from);
  if (more <= 0) return;
  if ((await longestPath(tx, from)) + more > MAX_PATH_BYTES)
    throw new Forbidden('Paths below it would be too long. Choose a shorter id or a place further up.');
}

/** An object that a client wants copied or moved, as it named it. */
export type SourceReference = { uid: string } | { path: string };

/** A copy or move: the container, the sources, and the caller. */
export type RelocateRequest = {
  caller: Caller;
  /** Path of the container. */
  target: string;
  sources: readonly SourceReference[];
};

/** Result for one source: its former path, and the path of the copy or its own new path. */
export type Relocated = { source: string; target: string };

/** The container and the sources that exist for the caller, all of them held. */
export type RelocatePlaces = { site: Site; container: ResolvedNode; sources: ResolvedNode[] };

/** Maximum number of moves of an object during the lookup by its UID before the request gives up. */
const MAX_ATTEMPTS = 5;

/** Prefixes that stand for the site itself; no content has such an id. */
const SITE_PREFIX = /^\/(?:\+\+api\+\+|[Pp]lone)(?=\/|$)/;

/** Returns the reference in one entry of `source`; undefined for an entry that cannot be content of this site. */
function referenceOf(entry: string, bases: readonly string[]): SourceReference | undefined {
  if (/^[\w-]{1,64}$/.test(entry)) return { uid: entry };
  const internal = internalPath(entry, bases);
  if (!internal) return undefined;
  if ('uid' in internal) return { uid: internal.uid };
  let { path } = internal;
  while (SITE_PREFIX.test(path)) path = path.replace(SITE_PREFIX, '');
  return { path: path || ROOT };
}

/**
 * Returns the references in the entries of `source`: each a URL below one of `bases`, a path or a UID. Addresses elsewhere are
 * skipped, like sources that do not exist (plone.restapi §7, `@copy`).
 */
export const sourceReferences = (entries: readonly string[], bases: readonly string[]): SourceReference[] =>
  entries.flatMap((entry) => referenceOf(entry, bases) ?? []);

/**
 * Looks up and locks all sources, and the container in the mode `hold`. In the mode for adding, other writers may add to the container meanwhile and
 * take a free name. Missing and hidden sources are left out, and each source occurs once. Throws NotFound without a container.
 */
export async function lockSources(
  kernel: Kernel,
  tx: Transaction,
  { caller, target, sources }: RelocateRequest,
  hold: LockMode,
): Promise<RelocatePlaces> {
  const uids = sources.flatMap((source) => ('uid' in source ? source.uid : []));
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const known = uids.length === 0 ? new Map<string, string>() : await pathsOfUids(tx, uids);
    // Maps each path to the UID that named it.
    const wanted = new Map<string, string | undefined>();
    for (const source of sources) {
      const path = 'uid' in source ? known.get(source.uid) : source.path;
      if (path !== undefined) wanted.set(path, wanted.get(path) ?? ('uid' in source ? source.uid : undefined));
    }
    const [container, ...findings] = await locateAllForWrite(kernel, tx, [
      { path: target, lockMode: hold },
      ...[...wanted.keys()].map((path): LockRequest => ({ path, lockMode: 'change' })),
    ]);
    if (!container?.resolved) throw new NotFound(target);
    const { site } = container;
    const resolved = findings.flatMap((lookup) => lookup.resolved ?? []);
    const strayed = resolved.some(({ object }) => (wanted.get(object.path) ?? object.uid) !== object.uid);
    if (strayed) continue;
    return {
      site,
      container: container.resolved,
      sources: resolved.filter((source) => has(site, caller, source, VIEW)),
    };
  }
  throw new Conflict('Other requests keep moving the same content. Try again.');
}

/** Throws 401 or 403 unless the caller may add an object of the source's type to the container. */
export function requireAddable(site: Site, caller: Caller, container: ResolvedNode, { object }: ResolvedNode): void {
  const type = site.types.get(object.type);
  if (!type || !takesType(site, container, type))
    reject(caller, `"${object.type}" may not be added to a ${container.object.type} here.`);
  requirePermission(site, caller, container, type.add_permission ?? ADD);
}
