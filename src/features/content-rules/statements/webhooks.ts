import type { Queryable } from '#core';

/** The channel of notifications between processes that requests wait. */
export const WEBHOOK_CHANNEL = 'canopy_webhook';

/** A request that waits, or that this process has taken. `key` is the same for each attempt, and for no other request of any site. */
export type WaitingWebhook = {
  id: number;
  key: string;
  rule: string;
  path: string;
  request: unknown;
  attempts: number;
};

/** Milliseconds for which a request is tried. */
const LIFETIME_MS = 24 * 60 * 60_000;
/** Requests that may wait at the same time. */
const MAX_WAITING_WEBHOOKS = 10_000;

/** Queues a request, which is sent after the commit by any process. Returns whether there was room for it. */
export async function queueWebhook(
  db: Queryable,
  { rule, path, request }: { rule: string; path: string; request: object },
): Promise<boolean> {
  const now = new Date();
  const rows = await db.query({
    name: 'queue-webhook',
    text: `with queued as (
        insert into webhook_outbox (rule, path, request, due, expires) select $1, $2, $3::jsonb, $4, $5
        where (select count(*) from (select from webhook_outbox limit ${MAX_WAITING_WEBHOOKS}) waiting) < ${MAX_WAITING_WEBHOOKS}
        returning id
      )
      select pg_notify('${WEBHOOK_CHANNEL}', '') from queued`,
    values: [rule, path, JSON.stringify(request), now, new Date(now.getTime() + LIFETIME_MS)],
  });
  return rows.length > 0;
}

/** A request of a rule that waits: how often it was tried, when it is tried next, and when it is given up. */
export type WaitingRequest = {
  path: string;
  url: string;
  method: string;
  attempts: number;
  due: Date;
  expires: Date;
};

/**
 * Counts the requests that wait, at most `limit` of them. `late` counts those that have failed so many times, and those that nobody has sent for
 * so many seconds after they were due.
 */
export async function countWaitingWebhooks(
  db: Queryable,
  { attempts, seconds, limit }: { attempts: number; seconds: number; limit: number },
): Promise<{ waiting: number; late: number }> {
  const [row] = await db.query<{ waiting: number; late: number }>({
    name: 'count-waiting-webhooks',
    text: `select count(*)::int as waiting,
        count(*) filter (where attempts >= $1 or due < clock_timestamp() - make_interval(secs => $2::float8))::int as late
      from (select attempts, due from webhook_outbox order by attempts desc limit $3) waiting`,
    values: [attempts, seconds, limit],
  });
  return row ?? { waiting: 0, late: 0 };
}

/** The requests of a rule that wait, those that were tried most often first, with the number of all. */
export async function listWaitingWebhooks(
  db: Queryable,
  rule: string,
  limit: number,
): Promise<{ items: WaitingRequest[]; total: number }> {
  const rows = await db.query<WaitingRequest & { total: number }>({
    name: 'list-waiting-webhooks',
    text: `select path, request->>'url' as url, request->>'method' as method, attempts, due, expires,
        count(*) over ()::int as total
      from webhook_outbox where rule = $1 order by attempts desc, due, id limit $2`,
    values: [rule, limit],
  });
  return { items: rows.map(({ total: _total, ...item }) => item), total: rows[0]?.total ?? 0 };
}

/** Takes the next request that is due and keeps others from it until the given time; undefined when there is none. */
export async function takeWebhook(db: Queryable, now: Date, leasedUntil: Date): Promise<WaitingWebhook | undefined> {
  const [taken] = await db.query<WaitingWebhook>({
    name: 'take-webhook',
    text: `update webhook_outbox set attempts = attempts + 1, due = $2
      where id = (select id from webhook_outbox where due <= $1 order by due, id limit 1 for update skip locked)
      returning id, key::text as key, rule, path, request, attempts`,
    values: [now, leasedUntil],
  });
  return taken;
}

/** When the next of the requests that wait is due; undefined when none waits. */
export async function findNextWebhook(db: Queryable): Promise<Date | undefined> {
  const [next] = await db.query<{ due: Date }>({
    name: 'find-next-webhook',
    text: 'select due from webhook_outbox order by due limit 1',
  });
  return next?.due;
}

/** Removes a request that is done, whether it was taken or not. */
export async function removeWebhook(db: Queryable, id: number): Promise<void> {
  await db.query({ name: 'remove-webhook', text: 'delete from webhook_outbox where id = $1', values: [id] });
}

/** Makes a request due again at a later time. Returns false, and removes it, when its time is over by then. */
export async function postponeWebhook(db: Queryable, id: number, due: Date): Promise<boolean> {
  const rows = await db.query<{ waits: boolean }>({
    name: 'postpone-webhook',
    text: `with over as (delete from webhook_outbox where id = $1 and expires <= $2)
      update webhook_outbox set due = $2 where id = $1 and expires > $2 returning true as waits`,
    values: [id, due],
  });
  return rows.length > 0;
}
