import { BadRequest, Conflict, NotFound } from '../lib/errors.ts';
import type { Caller } from '../security/caller.ts';
import { ADD, VIEW } from '../security/permissions.ts';
import type { Kernel } from '../site/kernel.ts';
import type { Site } from '../site/site.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import type { Transaction } from '../storage/database.ts';
import { pathsOfUids } from '../storage/statements/references.ts';
import { takesType } from './addable-types.ts';
import { internalPath } from './blocks/internal-path.ts';
import { type LockMode, locateAllForWrite } from './locate.ts';
import { has, reject, requirePermission } from './permissions.ts';
import { ROOT } from './tree-path.ts';

/** An object that a client wants copied or moved, as it named it. */
export type SourceReference = { uid: string } | { path: string };

/** A copy or move: where to, what, and for whom. */
export type RelocateRequest = {
  caller: Caller;
  /** Path of the container. */
  target: string;
  sources: readonly SourceReference[];
};

/** What became of one source: its path before, and the path of the copy or of itself now. */
export type Relocated = { source: string; target: string };

/** The container and the sources that exist for the caller, all of them held. */
export type RelocatePlaces = { site: Site; container: ResolvedNode; sources: ResolvedNode[] };

/** Sources of one request; each costs statements of its own. */
const MAX_SOURCES = 1000;

/** How often an object may move away under its UID before the request gives up. */
const MAX_ATTEMPTS = 5;

/** Prefixes that stand for the site itself; no content has such an id. */
const SITE_PREFIX = /^\/(?:\+\+api\+\+|[Pp]lone)(?=\/|$)/;

/** A UID, a path, or an address with its scheme: the forms that a source may have. */
const SOURCE_FORM = /^(?:[\w-]{1,64}$|\/|https?:\/\/|(?:\.\.\/)*resolveuid\/)/i;

/** What one entry of `source` names; undefined for what can be no content of this site. */
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
 * Reads `source` of a body: a URL below one of `bases`, a path or a UID, or a list of them. Addresses elsewhere are
 * passed over, as what does not exist (plone.restapi §7, `@copy`). Throws BadRequest when it is missing or none of these.
 */
export function readSources(source: unknown, bases: readonly string[]): SourceReference[] {
  if (source === undefined || source === null || source === '' || (Array.isArray(source) && source.length === 0))
    throw new BadRequest("Property 'source' is required");
  const entries: unknown[] = Array.isArray(source) ? source : [source];
  if (entries.length > MAX_SOURCES) throw new BadRequest(`"source" may name ${MAX_SOURCES} objects at most.`);
  return entries.flatMap((entry) => {
    if (typeof entry !== 'string' || !SOURCE_FORM.test(entry))
      throw new BadRequest('"source" must be an address, a path or a UID, or a list of them.');
    return referenceOf(entry, bases) ?? [];
  });
}

/**
 * Looks up and holds the container and all sources; `hold` is what will be done to a source. Sources that do not exist
 * or that the caller may not view are left out, and each is there once. Throws NotFound without a container.
 */
export async function lockSources(
  kernel: Kernel,
  tx: Transaction,
  { caller, target, sources }: RelocateRequest,
  lockMode: LockMode,
): Promise<RelocatePlaces> {
  const uids = sources.flatMap((source) => ('uid' in source ? source.uid : []));
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const known = uids.length === 0 ? new Map<string, string>() : await pathsOfUids(tx, uids);
    // A path to the UID that led to it.
    const wanted = new Map<string, string | undefined>();
    for (const source of sources) {
      const path = 'uid' in source ? known.get(source.uid) : source.path;
      if (path !== undefined) wanted.set(path, wanted.get(path) ?? ('uid' in source ? source.uid : undefined));
    }
    const [container, ...findings] = await locateAllForWrite(kernel, tx, [
      { path: target, lockMode: 'change' },
      ...[...wanted.keys()].map((path) => ({ path, lockMode })),
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
