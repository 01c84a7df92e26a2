import type { Queryable } from '../storage/database.ts';
import { resolveReferences } from '../storage/statements/references.ts';
import { type InternalLink, internalPath } from './blocks/internal-path.ts';
import { storedReference } from './blocks/resolve-uid.ts';
import { ROOT } from './tree-path.ts';

/** Answers what links and references mean, once all of them have been looked up. */
export type ReferenceResolver = {
  /** The stored form (`../resolveuid/<UID>` and suffix) of a link to content of the site, else the link itself. */
  resolveLink(link: string): string;
  /** The UID behind a UID, URL or path; undefined when there is no such object. */
  resolveUid(reference: string): string | undefined;
};

/** A UID, as far as its form goes: no slash and no scheme. */
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
