import { createHash } from 'node:crypto';
import { negotiation, panelSettings, type RequestContext, requestLimits, requests } from '#core';
import { TooManyRequests } from '#lib/errors';
import { MINUTE_MS } from '#lib/time/milliseconds';
import { mcpPanel } from './panel.ts';

/**
 * The sender whose calls are counted together: a token by its digest, a user with a password, or the network of a visitor. Spaces in the header
 * and the signature of a JSON Web Token do not count: they have several forms that are all right.
 */
function senderOf(context: RequestContext): string {
  if (context.caller.id === null) return requests.networkOf(context.clientAddress);
  const authorization = requests.headerOf(context, 'authorization');
  const credentials = negotiation.parseCredentials({ method: 'POST', authorization });
  if (credentials?.kind !== 'token') return context.caller.id;
  const [first = '', claims = ''] = credentials.token.split('.');
  return `${context.caller.id} ${createHash('sha256').update(`${first}.${claims}`).digest('base64url')}`;
}

/**
 * Counts a call. The limit is exact over all processes.
 * @throws TooManyRequests when the token, or the network of a visitor, has called as often as the settings allow within a minute
 */
export async function countCall(context: RequestContext): Promise<void> {
  const { kernel, auth, site, caller } = context;
  const { calls_per_minute: ofToken, visitor_calls_per_minute: ofVisitor } = panelSettings(site, mcpPanel);
  const at = auth.now();
  const request = { kind: 'mcp', sender: senderOf(context), at, since: new Date(at.getTime() - MINUTE_MS) };
  const limit = caller.id === null ? ofVisitor : ofToken;
  if (!(await kernel.db.transaction((tx) => requestLimits.record(tx, request, limit))))
    throw new TooManyRequests(`This is more than ${limit} calls in a minute. Wait, and call less often.`, 60);
}
