import type { Queryable } from '../../../storage/database.ts';

/** Old requests that a new one takes away. */
const PRUNE_BATCH = 100;

/** A request of a stranger: its kind, the network it came from, and since when others like it count. */
type VisitorRequest = { kind: string; address: string; at: Date; since: Date };

/** Counts a request, unless there were `limit` of its kind from its network since then. Answers whether it was counted. */
export async function admitVisitor(
  db: Queryable,
  { kind, address, at, since }: VisitorRequest,
  limit: number,
): Promise<boolean> {
  const rows = await db.query({
    name: 'people-admit-visitor',
    text: `with old as (
        delete from visitor_request where ctid in (select ctid from visitor_request where at <= $4 limit ${PRUNE_BATCH})
      ),
      recent as (
        select count(*) as n from (
          select from visitor_request where kind = $1 and address = $2 and at > $4 limit $5) counted
      )
      insert into visitor_request (kind, address, at) select $1, $2, $3 from recent where n < $5 returning 1`,
    values: [kind, address, at, since, limit],
  });
  return rows.length > 0;
}
