import { randomUUID } from 'node:crypto';
import type { queue } from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time/milliseconds';
import type { ChangeItem } from '../changes/change-item.ts';

/** Messages of webhooks. The topic of an item is the webhook. */
export const MESSAGES: queue.Kind = {
  name: 'webhook-message',
  // A slow system does not delay messages to others.
  concurrency: 8,
  pollMs: 30 * SECOND_MS,
  minWaitMs: 20,
  // Longer than one request can take.
  leaseMs: MINUTE_MS,
  // Attempts for three days, as Standard Webhooks suggests.
  backoff: [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS],
  lifetimeMs: 72 * HOUR_MS,
  dropsExpired: false,
  // More than a thousand for each of the webhooks that a site may have.
  maxWaiting: 100_000,
  isAnnounced: true,
  summary: (data) => (isQueuedMessage(data) ? { type: data.type, path: data.path } : {}),
};

/** A queued message: the place of its event in the feed, and the body of its requests. */
export type QueuedMessage = { message: string; type: string; path: string; position: number; body: string };

/** Tests for a queued message in a value that was stored as JSON. */
export const isQueuedMessage = (value: unknown): value is QueuedMessage =>
  isJsonObject(value) &&
  [value.message, value.type, value.path, value.body].every((text) => typeof text === 'string') &&
  typeof value.position === 'number';

/** The message of an event. */
export function messageOf(item: ChangeItem, position: number): QueuedMessage {
  const { id, time, ...data } = item;
  const message = `msg_${id}`;
  const type = `content.${item.event}`;
  return {
    message,
    type,
    path: item.path,
    position,
    body: JSON.stringify({ id: message, type, timestamp: time, data }),
  };
}

/** A message that only tests if requests arrive. */
export function testMessage(webhook: string): QueuedMessage {
  const message = `msg_${randomUUID()}`;
  const body: JsonObject = { id: message, type: 'test', timestamp: new Date().toISOString(), data: { webhook } };
  return { message, type: 'test', path: '', position: 0, body: JSON.stringify(body) };
}
