import { defineService, panelSettings, type RequestContext, requests } from '#core';
import { Forbidden, Unauthorized } from '#lib/errors';
import { countCall } from './call-limits.ts';
import { doesWork, MAX_MESSAGE_BYTES, MAX_VISITOR_BYTES, RpcResponse, receiveMessage } from './json-rpc.ts';
import { isKnownOrigin } from './origins.ts';
import { mcpPanel } from './panel.ts';
import { descriptionAddress } from './resource.ts';

/** Headers of a request that the library reads. */
const READ_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'];

/** The media types of the protocol. All responses here are JSON, so that a client that accepts that need not name the other. */
const ACCEPTED = 'application/json, text/event-stream';

/** The headers of a message that the library reads. */
function headersOf({ headers }: Pick<RequestContext, 'headers'>): Headers {
  const read = new Headers();
  for (const name of READ_HEADERS) {
    const value = headers[name];
    if (value !== undefined) read.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  if (/application\/json|application\/\*|\*\/\*/i.test(read.get('accept') ?? '*/*')) read.set('accept', ACCEPTED);
  return read;
}

/** Throws Unauthorized for wrong credentials, and for none where some are needed. */
function requireLogin(context: RequestContext): void {
  const { kernel, caller, site, base, rest } = context;
  if (caller.id !== null) return;
  const description = descriptionAddress(kernel, { site, base });
  const challenge = description === undefined ? {} : { resource_metadata: description };
  if (requests.headerOf(context, 'authorization') !== undefined)
    throw new Unauthorized('The token is wrong, or has expired.', 'Unauthorized', {
      error: 'invalid_token',
      ...challenge,
    });
  if (rest.length > 0 || !panelSettings(site, mcpPanel).visitors)
    throw new Unauthorized('Agents need a token here.', 'Unauthorized', { scope: 'read propose', ...challenge });
}

/** POST `@mcp`: one message of the Model Context Protocol. */
export const postMcp = defineService({
  name: '@mcp',
  method: 'POST',
  context: 'site',
  permission: null,
  scope: 'read',
  asks: true,
  streams: 'application/json',
  summary: 'Takes a message of an agent (Model Context Protocol, Streamable HTTP without sessions).',
  rest: ['', 'login'],
  headers: {
    'MCP-Protocol-Version': { description: 'The revision of the protocol.' },
    'Mcp-Method': { description: 'The method of the message (revision 2026-07-28).' },
    'Mcp-Name': { description: 'The tool or the resource of the message (revision 2026-07-28).' },
  },
  crossOrigin: {
    requestHeaders: ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
    responseHeaders: ['WWW-Authenticate'],
  },
  responses: {
    200: { description: 'The response of the protocol.', schema: RpcResponse },
    202: { description: 'A notification was taken.' },
    400: { description: 'The message is malformed, or of an unknown revision.', schema: RpcResponse },
    404: { description: 'The protocol has no such method.', schema: RpcResponse },
    406: { description: 'The client accepts no response of the protocol.', schema: RpcResponse },
    415: { description: 'The message is no JSON.', schema: RpcResponse },
  },
  async run(context) {
    if (!isKnownOrigin(context)) throw new Forbidden('Pages of this origin may not send messages.');
    requireLogin(context);
    const limit = context.caller.id === null ? MAX_VISITOR_BYTES : MAX_MESSAGE_BYTES;
    const received = await receiveMessage(context.stream, limit);
    if ('refusal' in received) return received.refusal;
    if (doesWork(received.message)) await countCall(context);
    // The library is loaded for the first message: most sites have no agents.
    const { respondTo } = await import('./serve.ts');
    return respondTo(context, received.message, headersOf(context));
  },
});
