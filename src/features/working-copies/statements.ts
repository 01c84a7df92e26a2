import type { Lock } from '../../storage/content-row.ts';
import type { Queryable } from '../../storage/database.ts';
import { AT_OR_BELOW } from '../../storage/statements/content-columns.ts';

/** Makes `copy` the working copy of `baseline`, which has `lock` from now on. The caller holds the baseline, which has none yet. */
export async function linkWorkingCopy(
  db: Queryable,
  { copy, baseline, lock }: { copy: number; baseline: number; lock: Lock },
): Promise<void> {
  await db.query({
    name: 'working-copy-link',
    text: 'insert into working_copy (copy, baseline, lock) values ($1, $2, $3::jsonb)',
    values: [copy, baseline, JSON.stringify(lock)],
  });
}

/**
 * Ends what is checked out across the edge of the subtree at `path`: one side is in it, the other is not. The rows are
 * taken in one order, for the other sides may be on their way out as well.
 */
export async function unlinkAcross(db: Queryable, path: string): Promise<void> {
  await db.query({
    name: 'working-copy-unlink-across',
    text: `delete from working_copy where copy in (
        select w.copy from working_copy w join content x on x.oid = w.copy join content b on b.oid = w.baseline
        where ${AT_OR_BELOW('x.path', '$1::text')} <> ${AT_OR_BELOW('b.path', '$1::text')} order by w.copy for update of w)`,
    values: [path],
  });
}
