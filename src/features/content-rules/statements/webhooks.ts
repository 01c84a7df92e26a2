import type { Queryable } from '#core';
import { WEBHOOKS } from '../webhook-request.ts';

/** A request of a rule that waits: how often it was tried, when it is tried next, and when it is given up. */
export type WaitingRequest = {
  path: string;
  url: string;
  method: string;
  attempts: number;
  due: Date;
  expires: Date;
};

/** The requests of a rule that wait, those that were tried most often first, with the number of all. */
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
