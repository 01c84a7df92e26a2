import { contentSql, hasRows, type journal, type Queryable } from '#core';

/**
 * Says if a transaction after `id` that is still in effect has changed anything at or below `path`. Undone transactions do not count, nor
 * transactions that undid only transactions after `id`, nor transactions in `except`.
 */
export const isChangedSince = (
  db: Queryable,
  { id, path, except }: { id: number; path: string; except: readonly number[] },
): Promise<boolean> =>
  hasRows(db, {
    name: 'undo-changed-since',
    text: `with touched as (
        select s.transaction from content c join site_transaction_step s on s.content = c.oid
        where ${contentSql.AT_OR_BELOW('c.path', '$2')} and s.transaction > $1
        union
        select s.transaction from site_transaction_step s where ${contentSql.AT_OR_BELOW('s.path', '$2')} and s.transaction > $1
      )
      select 1 from touched join site_transaction t on t.id = touched.transaction
      where t.undone_by is null and not t.id = any($3::bigint[])
        and not (t.undoes <> '{}' and $1 < all(t.undoes)) limit 1`,
    values: [id, path, except],
  });

/** The entry of the recycle bin from the deletion of an object in a transaction; undefined when the entry is gone. */
export async function findDeletion(db: Queryable, oid: number, transaction: number): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>({
    name: 'undo-find-deletion',
    text: `select r.id from recycled r join site_transaction t on t.at = r.deleted where r.oid = $1 and t.id = $2`,
    values: [oid, transaction],
  });
  return rows[0]?.id;
}

/** The reordered children. */
type Moves = NonNullable<journal.CoreSteps['ordered']['moves']>;

/** True when all children still have the positions from the step. */
export async function havePositions(db: Queryable, parent: number, moves: Moves): Promise<boolean> {
  const [row] = await db.query<{ same: number }>({
    name: 'undo-compare-positions',
    text: `select count(*)::int as same from unnest($2::bigint[], $3::float8[]) m(oid, position)
      join content c on c.oid = m.oid and c.parent = $1 and c.position = m.position`,
    values: [parent, moves.map(({ oid }) => oid), moves.map(({ after }) => after)],
  });
  return row?.same === moves.length;
}

/** The number of the newest version of an object; null when it has none. */
export async function newestVersion(db: Queryable, oid: number): Promise<number | null> {
  const [row] = await db.query<{ number: number | null }>({
    name: 'undo-newest-version',
    text: 'select max(number) as number from version where content = $1',
    values: [oid],
  });
  return row?.number ?? null;
}
