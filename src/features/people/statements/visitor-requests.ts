import type { Queryable } from '../../../storage/database.ts';

/** Old requests deleted with each new one. */
const PRUNE_BATCH = 100;

/** A request of an anonymous visitor: its kind, the network it came from, and since when similar ones count. */
type VisitorRequest = { kind: string; address: string; at: Date; since: Date };

/** Records a request unless its network has sent `limit` of its kind since then. Returns whether it was recorded. */
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
