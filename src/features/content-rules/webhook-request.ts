import { randomUUID } from 'node:crypto';
import { type Queryable, queue } from '#core';
import { isJsonObject } from '#lib/json-object';
import { DAY_MS, HOUR_MS } from '#lib/time/milliseconds';

/** Requests of rules to other systems. The topic of an item is the rule, which may be gone. */
export const WEBHOOKS: queue.Kind = {
  name: 'webhook',
  // A slow system does not delay the requests to others.
  concurrency: 4,
  pollMs: 30_000,
  minWaitMs: 100,
  // Longer than one request can take.
  leaseMs: 60_000,
  backoff: { firstMs: 10_000, lastMs: HOUR_MS },
  lifetimeMs: DAY_MS,
  dropsExpired: false,
  maxWaiting: 10_000,
  isAnnounced: true,
  summary: (data) => (isQueuedWebhook(data) ? { url: data.request.url, method: data.request.method } : {}),
};

/** A request to another system. `body` is JSON. */
export type WebhookRequest = { url: string; method: string; body: string };

/** A queued request, with the path of its content. `key` is the same for each attempt, and unique among the requests of all sites. */
export type QueuedWebhook = { key: string; path: string; request: WebhookRequest };

export const WEBHOOK_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'];

/** Tests for a queued request in a value that was stored as JSON. */
export const isQueuedWebhook = (value: unknown): value is QueuedWebhook => {
  if (!isJsonObject(value)) return false;
  const { key, path, request } = value;
  return (
    [key, path].every((text) => typeof text === 'string') &&
    isJsonObject(request) &&
    ['url', 'method', 'body'].every((name) => typeof request[name] === 'string')
  );
};

/** Queues a request; any process sends it after the commit. Returns whether there was room for it. */
export const queueWebhook = (
  db: Queryable,
  { rule, path, request }: { rule: string; path: string; request: WebhookRequest },
): Promise<boolean> => queue.enqueue(db, WEBHOOKS, [{ topic: rule, data: { key: randomUUID(), path, request } }]);
