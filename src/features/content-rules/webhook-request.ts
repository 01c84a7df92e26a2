import type { Circuit } from '#lib/http/circuit';
import { sendRequest } from '#lib/http/outgoing-request';
import { isJsonObject } from '#lib/json-object';

/** A request to another system. `body` is JSON. */
export type WebhookRequest = { url: string; method: string; body: string };

export const WEBHOOK_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'];

/** Whether a value that was stored as JSON is such a request. */
export const isWebhookRequest = (value: unknown): value is WebhookRequest =>
  isJsonObject(value) && ['url', 'method', 'body'].every((name) => typeof value[name] === 'string');

/**
 * Sends the request of a rule. Throws RequestNotTaken unless it succeeds in time. By `key` the other system recognizes attempts of the
 * same request; with `circuit` one that has not answered a moment ago is not asked.
 */
export const sendWebhook = (
  request: WebhookRequest,
  { key, ...options }: { key: string; circuit: Circuit; isPrivateAllowed: boolean },
): Promise<void> => sendRequest({ ...request, headers: { 'idempotency-key': key } }, options);
