import { internalPath } from '../../content/blocks/internal-path.ts';
import { storedReference } from '../../content/blocks/resolve-uid.ts';
import type { ReferenceResolver } from '../../content/reference-resolver.ts';
import { ROOT } from '../../content/tree-path.ts';
import type { Queryable } from '../../storage/database.ts';
import { resolveReferences } from '../../storage/statements/find-targets.ts';
import { isIdentifier } from './clean-text.ts';
import type { ImportPlan } from './import-plan.ts';

/** Answers what links of the export mean on this site, also to objects that are not written yet. */
export interface LinkMap {
  /** @param misses gets every reference that neither the export nor an earlier look-up knows */
  resolver(misses: Set<string>): ReferenceResolver;
  /** Looks references up in the database. Answers whether any was found; ask the resolver again then. */
  lookUp(db: Queryable, misses: ReadonlySet<string>): Promise<boolean>;
}

/** References that were found in the database and are kept; content links to the same few objects of a site. */
const MAX_KEPT = 50_000;

/** Longer paths are in no index. */
const MAX_PATH = 2000;

/** @param bases absolute addresses of the site root that links may begin with */
export function linkMap(plan: ImportPlan, bases: readonly string[]): LinkMap {
  const found = new Map<string, string>();

  const uidAt = (path: string): string | undefined => known(plan.byPath.get(path)) ?? found.get(path);
  const uidOf = (uid: string): string | undefined => known(plan.byUid.get(uid)) ?? found.get(uid);

  return {
    resolver: (misses) => ({
      resolveUid(reference) {
        const internal = internalPath(reference, bases);
        const uid =
          internal === undefined ? uidOf(reference) : 'uid' in internal ? uidOf(internal.uid) : uidAt(internal.path);
        if (uid === undefined)
          misses.add(internal === undefined ? reference : 'uid' in internal ? internal.uid : internal.path);
        return uid;
      },
      resolveLink(link) {
        const internal = internalPath(link, bases);
        // The root itself is no target: links to it stay addresses, as those that a client writes.
        if (!internal || ('path' in internal && internal.path === ROOT)) return link;
        const uid = 'uid' in internal ? uidOf(internal.uid) : uidAt(internal.path);
        if (uid !== undefined) return storedReference(uid, internal.suffix);
        misses.add('uid' in internal ? internal.uid : internal.path);
        return link;
      },
    }),
    async lookUp(db, misses) {
      const isPath = (reference: string) => reference.startsWith('/');
      const paths = [...misses].filter((path) => isPath(path) && path.length <= MAX_PATH);
      const uids = [...misses].filter((uid) => !isPath(uid) && isIdentifier(uid));
      if (paths.length + uids.length === 0) return false;
      const rows = await resolveReferences(db, uids, paths);
      if (found.size + rows.length > MAX_KEPT) found.clear();
      for (const { reference, uid } of rows) found.set(reference, uid).set(uid, uid);
      return rows.length > 0;
    },
  };
}

/** A reference to something that cannot be had is none. */
const known = (planned: { uid: string; fate: string } | undefined): string | undefined =>
  planned === undefined || planned.fate === 'failed' ? undefined : planned.uid;
