import type { Queryable } from '../../database/database.ts';
import type { ViewRule } from '../search/statements/view-rule.ts';
import { type Caller, callerAt } from '../security/caller.ts';
import { type InternalLink, internalPath } from './blocks/internal-path.ts';
import { storedReference } from './blocks/resolve-uid.ts';
import { findTargets, resolveReferences, type TargetRow } from './statements/references.ts';
import { ROOT } from './tree-path.ts';

/** Resolves links and references, after all of them have been looked up. */
export type ReferenceResolver = {
  /** The stored form (`../resolveuid/<UID>` and suffix) of a link to content of the site, else the link itself. */
  resolveLink(link: string): string;
  /** The UID of the object that a UID, URL or path names; undefined when it does not exist. */
  resolveUid(reference: string): string | undefined;
};

/** Says if a reference has the form of a UID: no slash and no scheme. */
const looksLikeUid = (reference: string): boolean => /^[\w-]{1,64}$/.test(reference);

/**
 * Looks up all `links` with one SQL statement. `bases` are the addresses of the site root that count as internal.
 */
export async function resolverFor(
  db: Queryable,
  links: Iterable<string>,
  bases: readonly string[],
): Promise<ReferenceResolver> {
  const uids = new Set<string>();
  const paths = new Set<string>();
  for (const link of links) {
    const internal = internalPath(link, bases);
    if (internal && 'uid' in internal) uids.add(internal.uid);
    else if (internal) paths.add(internal.path);
    else if (looksLikeUid(link)) uids.add(link);
  }
  const rows = uids.size + paths.size === 0 ? [] : await resolveReferences(db, [...uids], [...paths]);
  const found = new Map(rows.map(({ reference, uid }) => [reference, uid]));
  const keyOf = (internal: InternalLink): string => ('uid' in internal ? internal.uid : internal.path);
  return {
    resolveUid(reference) {
      const internal = internalPath(reference, bases);
      return found.get(internal ? keyOf(internal) : reference);
    },
    resolveLink(link) {
      const internal = internalPath(link, bases);
      // The root itself is no target: links to it stay addresses (plone.restapi §4.3).
      if (!internal || keyOf(internal) === ROOT) return link;
      const uid = found.get(keyOf(internal));
      return uid === undefined ? link : storedReference(uid, internal.suffix);
    },
  };
}

/** Finds the object that a path, an address or a UID names; undefined if it does not exist or the caller may not view it. */
export type FindEnd = (reference: string) => TargetRow | undefined;

/** Returns the path of the site or the UID in a client's reference. */
function keyOf(reference: string, bases: readonly string[]): { path: string } | { uid: string } {
  const internal = internalPath(reference, bases);
  if (!internal) return { uid: reference };
  return 'uid' in internal ? { uid: internal.uid } : { path: internal.path };
}

/** Looks up the sources and targets of relations at once, with two statements. */
export async function relationEnds(
  db: Queryable,
  { rule, caller }: { rule: ViewRule; caller: Caller },
  { references, bases }: { references: readonly string[]; bases: readonly string[] },
): Promise<FindEnd> {
  const uids = new Set<string>();
  const paths = new Set<string>();
  for (const reference of references) {
    const key = keyOf(reference, bases);
    if ('uid' in key) uids.add(key.uid);
    else paths.add(key.path);
  }
  const resolved = await resolveReferences(db, [...uids], [...paths]);
  const uidOf = new Map(resolved.map(({ reference, uid }) => [reference, uid]));
  const isVisible = ({ viewers, path }: TargetRow) => {
    const { principals } = callerAt(caller, path);
    return viewers.some((token) => principals.includes(token));
  };
  const rows = resolved.length === 0 ? [] : await findTargets(db, rule, [...new Set(uidOf.values())]);
  const visible = new Map(rows.filter(isVisible).map((row) => [row.uid, row]));
  return (reference) => {
    const key = keyOf(reference, bases);
    return visible.get(uidOf.get('uid' in key ? key.uid : key.path) ?? '');
  };
}
