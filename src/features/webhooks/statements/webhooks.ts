import { claims, type Queryable } from '#core';
import { FEED } from '../../changes/statements/feed.ts';

/** Settings of a webhook that Managers choose. An empty list does not limit the events. */
export type WebhookSettings = {
  title: string;
  url: string;
  enabled: boolean;
  audience: 'visitors' | 'everything';
  events: string[];
  types: string[];
  languages: string[];
  path: string | null;
};

/** A webhook. All events up to `position` were queued; null begins with the next event. */
export type WebhookRow = WebhookSettings & {
  id: string;
  position: number | null;
  event: string | null;
  failingSince: Date | null;
  paused: Date | null;
  pausedBecause: string | null;
  created: Date;
};

const COLUMNS = `id, title, url, enabled, audience, events, types, languages, path, position, event, failing_since as "failingSince", paused,
  paused_because as "pausedBecause", created`;

/** All webhooks; a site has few. */
export const listWebhooks = (db: Queryable): Promise<WebhookRow[]> =>
  db.query<WebhookRow>({ text: `select ${COLUMNS} from webhook order by created, id`, reads: true });

export async function findWebhook(db: Queryable, id: string): Promise<WebhookRow | undefined> {
  const [row] = await db.query<WebhookRow>({
    name: 'find-webhook',
    text: `select ${COLUMNS} from webhook where id = $1`,
    values: [id],
    reads: true,
  });
  return row;
}

/** Locks a webhook until the end of the transaction; undefined for an unknown id. */
export async function lockWebhook(db: Queryable, id: string): Promise<WebhookRow | undefined> {
  const [row] = await db.query<WebhookRow>({
    text: `select ${COLUMNS} from webhook where id = $1 for update`,
    values: [id],
  });
  return row;
}

/** Locks an active webhook that no other process has locked; undefined otherwise. */
export async function claimWebhook(db: Queryable, id: string): Promise<WebhookRow | undefined> {
  const [row] = await db.query<WebhookRow>({
    name: 'claim-webhook',
    text: claims.UNCLAIMED(`select ${COLUMNS} from webhook where id = $1 and enabled and paused is null`),
    values: [id],
  });
  return row;
}

/** Locks the list of webhooks until the end of the transaction, and returns their number. */
export async function lockWebhooks(db: Queryable): Promise<number> {
  await db.query({ text: 'lock table webhook in share row exclusive mode' });
  const [row] = await db.query<{ count: number }>({ text: 'select count(*)::int as count from webhook' });
  return row?.count ?? 0;
}

const valuesOf = ({ title, url, enabled, audience, events, types, languages, path }: WebhookSettings): unknown[] => [
  ...[title, url, enabled, audience, events, types, languages, path],
];

export async function insertWebhook(db: Queryable, id: string, settings: WebhookSettings): Promise<void> {
  await db.query({
    text: `insert into webhook (id, title, url, enabled, audience, events, types, languages, path)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [id, ...valuesOf(settings)],
  });
}

/** Changes a webhook. A paused webhook continues where it stopped. */
export async function updateWebhook(db: Queryable, id: string, settings: WebhookSettings): Promise<void> {
  await db.query({
    text: `update webhook set title = $2, url = $3, enabled = $4, audience = $5, events = $6, types = $7, languages = $8, path = $9
      where id = $1`,
    values: [id, ...valuesOf(settings)],
  });
}

export async function deleteWebhook(db: Queryable, id: string): Promise<void> {
  await db.query({ text: 'delete from webhook where id = $1', values: [id] });
}

/** Resumes a paused webhook. */
export async function resumeWebhook(db: Queryable, id: string): Promise<void> {
  await db.query({
    text: 'update webhook set paused = null, paused_because = null, failing_since = null where id = $1',
    values: [id],
  });
}

/** Sets the place up to which all events are queued. */
export async function moveWebhook(
  db: Queryable,
  id: string,
  { position, id: event }: { position: number; id: string },
): Promise<void> {
  await db.query({
    name: 'move-webhook',
    text: 'update webhook set position = $2, event = $3::uuid where id = $1',
    values: [id, position, event],
  });
}

/** Pauses a webhook. Returns false when it was paused already. */
export async function pauseWebhook(db: Queryable, id: string, reason: string): Promise<boolean> {
  const rows = await db.query({
    text: 'update webhook set paused = now(), paused_because = $2 where id = $1 and paused is null returning 1',
    values: [id, reason],
  });
  return rows.length > 0;
}

/** The first place in the feed of a queued message of a webhook; undefined when no message waits. */
export async function firstQueued(db: Queryable, kind: string, topic: string): Promise<number | undefined> {
  const [row] = await db.query<{ position: number | null }>({
    text: `select min((data->>'position')::bigint) as position from queue_item where kind = $1 and topic = $2`,
    values: [kind, topic],
  });
  return row?.position ?? undefined;
}

/** The number of waiting messages of a webhook, counted up to `most`. */
export async function countWaiting(db: Queryable, kind: string, topic: string, most: number): Promise<number> {
  const [row] = await db.query<{ waiting: number }>({
    name: 'webhook-waiting',
    text: `select count(*)::int as waiting from (select from queue_item where kind = $1 and topic = $2 limit $3) queued`,
    values: [kind, topic, most],
  });
  return row?.waiting ?? 0;
}

/** The number of waiting messages of each webhook. */
export const countQueued = (db: Queryable, kind: string): Promise<{ topic: string; waiting: number }[]> =>
  db.query({
    text: 'select topic, count(*)::int as waiting from queue_item where kind = $1 group by topic',
    values: [kind],
    reads: true,
  });

/** Wakes the dispatchers of all processes after the commit. */
export async function announceWebhooks(tx: Queryable): Promise<void> {
  await tx.query({ text: `select ${claims.WAKE(FEED)}` });
}
