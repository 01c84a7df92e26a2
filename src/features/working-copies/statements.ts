import { type ContentObject, contentRows, contentSql, type Queryable } from '#core';

/**
 * Makes `copy` the working copy of `baseline`, which gets `lock`. The caller has locked the baseline, which has no
 * working copy yet.
 */
export async function linkWorkingCopy(
  db: Queryable,
  { copy, baseline, lock }: { copy: number; baseline: number; lock: NonNullable<ContentObject['lock']> },
): Promise<void> {
  await db.query({
    name: 'working-copy-link',
    text: 'insert into working_copy (copy, baseline, lock) values ($1, $2, $3::jsonb)',
    values: [copy, baseline, JSON.stringify(lock)],
  });
}

/**
 * Ends the check-outs of which one side is in the subtree at `path` and the other is not. The rows are locked in a fixed
 * order, because the other sides may be removed at the same time. Copies become ordinary content, without permissions of their own:
 * returns the paths of those that had some.
 */
export async function unlinkAcross(db: Queryable, path: string): Promise<string[]> {
  const rows = await db.query<{ path: string }>({
    name: 'working-copy-unlink-across',
    text: `with ended as (
        delete from working_copy where copy in (
          select w.copy from working_copy w join content x on x.oid = w.copy join content b on b.oid = w.baseline
          where ${contentSql.AT_OR_BELOW('x.path', '$1::text')} <> ${contentSql.AT_OR_BELOW('b.path', '$1::text')} order by w.copy for update of w)
        returning copy
      )
      ${contentRows.DROP_PERMISSIONS('ended', 'copy')}`,
    values: [path],
  });
  return rows.map((row) => row.path);
}

/** Those of the objects that are working copies. */
export async function copiesAmong(db: Queryable, oids: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ copy: number }>({
    name: 'working-copies-among',
    text: 'select copy from working_copy where copy = any($1)',
    values: [oids],
  });
  return rows.map(({ copy }) => copy);
}
