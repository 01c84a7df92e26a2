import { type ContentObject, contentRows, contentSql, type Queryable } from '#core';

/** The state of content at its check-out: its stored values, and its layout. */
export type CheckedOutState = { values: Record<string, unknown>; layout: string | null };

/**
 * Makes `copy` the working copy of `baseline`, which gets `lock`, and stores the present state of both. The caller has locked the baseline, which has
 * no working copy yet.
 */
export async function linkWorkingCopy(
  db: Queryable,
  {
    copy,
    baseline,
    lock,
    base,
  }: { copy: number; baseline: number; lock: NonNullable<ContentObject['lock']>; base: CheckedOutState },
): Promise<void> {
  await db.query({
    name: 'working-copy-link',
    text: 'insert into working_copy (copy, baseline, lock, base) values ($1, $2, $3::jsonb, $4::jsonb)',
    values: [copy, baseline, JSON.stringify(lock), JSON.stringify(base)],
  });
}

/** The state at the check-out; null for a check-out by an old version of the server, which did not store the state. */
export async function findCheckedOutState(db: Queryable, copy: number): Promise<CheckedOutState | null> {
  const [row] = await db.query<{ base: CheckedOutState | null }>({
    name: 'working-copy-base',
    text: 'select base from working_copy where copy = $1',
    values: [copy],
  });
  return row?.base ?? null;
}

/**
 * Ends the check-outs with only one side in the subtree at `path`. The rows are locked in a fixed order, because the other sides may be removed at
 * the same time. Copies become ordinary content, without permissions of their own. Returns the paths of the copies that had such permissions.
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

/** Selects the objects that are working copies. */
export async function copiesAmong(db: Queryable, oids: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ copy: number }>({
    name: 'working-copies-among',
    text: 'select copy from working_copy where copy = any($1)',
    values: [oids],
    each: 'copy',
  });
  return rows.map(({ copy }) => copy);
}

/** A check-out with facts about its possible faults. */
export type CheckedOutPair = { copy: number; path: string; owner: string; types: string[]; lock: unknown };

/** The next check-outs after the number of a copy. */
export const checkedOutPairs = (db: Queryable, after: number, limit: number): Promise<CheckedOutPair[]> =>
  db.query<CheckedOutPair>({
    name: 'working-copy-check',
    text: `select w.copy, b.path, x.owner, array[x.type, b.type] as types, w.lock
      from working_copy w join content x on x.oid = w.copy join content b on b.oid = w.baseline
      where w.copy > $1 order by w.copy limit $2`,
    values: [after, limit],
    reads: true,
  });

/** Gives the baseline of a copy another lock. */
export async function replaceLock(
  db: Queryable,
  copy: number,
  lock: NonNullable<ContentObject['lock']>,
): Promise<void> {
  await db.query({
    name: 'working-copy-replace-lock',
    text: 'update working_copy set lock = $2::jsonb where copy = $1',
    values: [copy, JSON.stringify(lock)],
  });
}
