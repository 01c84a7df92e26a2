import type { Queryable } from '../../../storage/database.ts';
import type { Retention } from './version-record.ts';

/** How far a pruning has come: the object behind which it goes on, and how many versions went. */
export type Pruned = { last: number; removed: number };

const TEXT = `with kept as (
    select content, greatest(max(number) + 1 - $1::int, max(number) filter (where at < $2::timestamptz)) as first
    from version where content > $3 group by content order by content limit $4
  ), gone as (
    delete from version v using kept where v.content = kept.content and v.number < kept.first returning 1
  )
  select max(content) as last, (select count(*)::int from gone) as removed from kept`;

/** Removes the versions of the next `limit` objects behind the one numbered `after`. Undefined when there are no more objects. */
export async function pruneVersionRows(
  db: Queryable,
  { retention, after, limit }: { retention: Retention; after: number; limit: number },
): Promise<Pruned | undefined> {
  const [row] = await db.query<{ last: number | null; removed: number }>({
    name: 'version-prune',
    text: TEXT,
    values: [retention.keep, retention.since, after, limit],
  });
  return row && row.last !== null ? { last: row.last, removed: row.removed } : undefined;
}
