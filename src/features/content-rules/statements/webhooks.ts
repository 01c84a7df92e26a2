import type { Queryable } from '#core';
import { WEBHOOKS } from '../webhook-request.ts';

/** A waiting request of a rule: the number of its attempts, the time of the next attempt, and the time when it is given up. */
export type WaitingRequest = {
  path: string;
  url: string;
  method: string;
  attempts: number;
  due: Date;
  expires: Date;
};

/** The waiting requests of a rule, ordered by their attempts, most first, with the number of all. */
export async function listWaitingWebhooks(
  db: Queryable,
  rule: string,
  limit: number,
): Promise<{ items: WaitingRequest[]; total: number }> {
  const rows = await db.query<WaitingRequest & { total: number }>({
    name: 'list-waiting-webhooks',
    text: `select data->>'path' as path, data->'request'->>'url' as url, data->'request'->>'method' as method, attempts, due, expires,
        count(*) over ()::int as total
      from queue_item where kind = '${WEBHOOKS.name}' and topic = $1 order by attempts desc, due, id limit $2`,
    values: [rule, limit],
  });
  return { items: rows.map(({ total: _total, ...item }) => item), total: rows[0]?.total ?? 0 };
}
