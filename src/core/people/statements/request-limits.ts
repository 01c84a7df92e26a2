import type { Queryable, Transaction } from '../../../database/database.ts';
import { DAY_MS } from '../../../lib/time/milliseconds.ts';
import { UNCLAIMED } from '../../queue/statements/claim.ts';

/** Old requests deleted with each new one. */
const PRUNE_BATCH = 100;
/** Milliseconds for which requests of any kind are stored, longer than any of them counts. */
const KEPT_MS = DAY_MS;

/** A limited request: its kind, its sender (a network, a user, a page …), and the time since which similar requests count. */
export type LimitedRequest = { kind: string; sender: string; at: Date; since: Date };

/**
 * Records a request unless its sender has sent `limit` requests of its kind since `since`. Returns true if it was recorded. Requests of one sender
 * wait for each other until the end of the transaction, so that the limit is exact over all processes.
 */
export async function recordRequest(
  tx: Transaction,
  { kind, sender, at, since }: LimitedRequest,
  limit: number,
): Promise<boolean> {
  await tx.query({
    name: 'lock-limited-requests',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 71))',
    values: [`${kind} ${sender}`],
  });
  const rows = await tx.query({
    name: 'record-limited-request',
    text: `with old as (
        delete from visitor_request where ctid in (
          ${UNCLAIMED(`select ctid from visitor_request where at <= $6 limit ${PRUNE_BATCH}`)})
      ),
      recent as (
        select count(*) as n from (
          select from visitor_request where kind = $1 and address = $2 and at > $4 limit $5) counted
      )
      insert into visitor_request (kind, address, at) select $1, $2, $3 from recent where n < $5 returning 1`,
    values: [kind, sender, at, since, limit, new Date(at.getTime() - KEPT_MS)],
  });
  return rows.length > 0;
}
/** Says if a sender has sent `limit` requests of a kind since a time. It does not count concurrent requests: `recordRequest` is exact. */
export async function hasReachedLimit(
  db: Queryable,
  { kind, sender, since }: Omit<LimitedRequest, 'at'>,
  limit: number,
): Promise<boolean> {
  const rows = await db.query<{ n: number }>({
    name: 'count-limited-requests',
    text: `select count(*)::int as n from (
        select from visitor_request where kind = $1 and address = $2 and at > $3 limit $4) counted`,
    values: [kind, sender, since, limit],
  });
  return (rows[0]?.n ?? 0) >= limit;
}
