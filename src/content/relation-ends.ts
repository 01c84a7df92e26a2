import type { Caller } from '../security/caller.ts';
import type { Queryable } from '../storage/database.ts';
import { findTargets, resolveReferences, type TargetRow } from '../storage/statements/references.ts';
import { internalPath } from './blocks/internal-path.ts';

/** Finds the object that a path, an address or a UID names; undefined when there is none that the caller may view. */
export type FindEnd = (reference: string) => TargetRow | undefined;

/** What a client's reference names: a path of the site, or a UID. */
function keyOf(reference: string, bases: readonly string[]): { path: string } | { uid: string } {
  const internal = internalPath(reference, bases);
  if (!internal) return { uid: reference };
  return 'uid' in internal ? { uid: internal.uid } : { path: internal.path };
}

/** Looks up all ends of relations at once, with two statements. */
export async function relationEnds(
  db: Queryable,
  caller: Caller,
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
  const principals = new Set(caller.principals);
  const rows = resolved.length === 0 ? [] : await findTargets(db, [...new Set(uidOf.values())]);
  const visible = new Map(
    rows.filter(({ allowed }) => allowed.some((token) => principals.has(token))).map((row) => [row.uid, row]),
  );
  return (reference) => {
    const key = keyOf(reference, bases);
    return visible.get(uidOf.get('uid' in key ? key.uid : key.path) ?? '');
  };
}
