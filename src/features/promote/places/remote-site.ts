import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError } from '#core';
import { ClientError } from '#lib/errors';
import { memberOf } from './place.ts';

/** Milliseconds that one request may take. */
const TIMEOUT_MS = 120_000;
/** Pauses in milliseconds before a plan is sent again, whose response was lost: longer together than a site may work on it. */
const PAUSES_MS = [1000, 2000, 5000, 10_000, 20_000, 40_000];

/** A site at an address: `token` is an access token of it. */
export type RemoteSite = { address: string; token: string | undefined };

/** There is no response. `isSent` says if the request may have been done. */
export class NoResponse extends ConfigError {
  readonly isSent: boolean;

  constructor(message: string, isSent: boolean) {
    super(message);
    this.isSent = isSent;
  }
}

/** The site works on the same request still, for which it was sent before. */
class StillAtWork extends ClientError {}

/** The site has not come to a read in time, such as while the embedded database works on something long. */
export class NotInTime extends ClientError {}

/** Errors of connections that never came about. */
const NOT_SENT = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
]);

type Sending = { method?: string; text?: string; headers?: Record<string, string>; timeoutMs?: number };

/** Sends a request to a site. Throws ClientError for a refusal, NoResponse. */
export async function send(
  { address, token }: RemoteSite,
  path: string,
  { method = 'GET', text, headers = {}, timeoutMs = TIMEOUT_MS }: Sending = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`${address}${path}`, {
      method,
      // A redirect would take the token to another place.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        Accept: 'application/json',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause instanceof Error ? error.cause : error) : undefined;
    const code = cause && 'code' in cause ? cause.code : undefined;
    const isSent = cause?.name === 'TimeoutError' || (typeof code === 'string' && !NOT_SENT.has(code));
    throw new NoResponse(`${address} does not respond: ${cause?.message ?? ''}`, isSent);
  }
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => undefined);
  const said = memberOf(problem, 'message');
  const message = `${address}: ${typeof said === 'string' ? said : `responds with the status ${response.status}.`}`;
  if (response.status === 409 && response.headers.has('retry-after'))
    throw new StillAtWork(409, 'RemoteRefusal', message);
  if (memberOf(problem, 'type') === 'TooExpensive') throw new NotInTime(response.status, 'RemoteRefusal', message);
  throw new ClientError(response.status, 'RemoteRefusal', message);
}

/**
 * Sends a write with a key of its own, and again under the same key when the response is lost: so it is done once. Throws as `send` does when
 * it was not sent at all, and when the site is away for too long.
 */
export async function sendOnce(site: RemoteSite, path: string, text: string, method = 'POST'): Promise<Response> {
  const headers = { 'Idempotency-Key': randomUUID() };
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(site, path, { method, text, headers });
    } catch (error) {
      const isLost = error instanceof StillAtWork || (error instanceof NoResponse && (error.isSent || attempt > 0));
      const pauseMs = PAUSES_MS[attempt];
      if (!isLost || pauseMs === undefined) throw error;
      await pause(pauseMs);
    }
  }
}
