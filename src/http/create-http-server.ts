import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { BadRequest } from '../lib/errors.ts';
import type { ServiceResponse } from '../services/service.ts';
import type { TrustedProxies } from '../site/config-names.ts';
import { readerLanguage } from '../site/panels/languages.ts';
import { corsHeaders, corsPolicy, preflightHeaders } from './cors.ts';
import { endConnections } from './end-connections.ts';
import { errorResponse } from './error-answer.ts';
import { handle, type SeenSite, type Server } from './request-path.ts';

/** The server on the wire. */
export type HttpServer = FastifyInstance;

/** On every answer: nothing that is sent from here is a page, whatever a browser makes of it. */
const SAFETY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'SAMEORIGIN',
};

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** The proxies as Fastify knows them. It believes nobody for a mere number: the count is up to a function. */
function believed(proxies: TrustedProxies | undefined): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxies ?? false;
}

async function respondTo(server: Server, request: FastifyRequest, seen: SeenSite): Promise<ServiceResponse> {
  try {
    const { method, originalUrl: target, protocol: scheme, host, headers, raw: body, ip: clientAddress } = request;
    return await handle(server, { method, target, scheme, host, headers, body, clientAddress }, seen);
  } catch (error) {
    const language = seen.site && readerLanguage(seen.site, one(request.headers['accept-language']));
    const response = errorResponse(error, request.id, (text) =>
      language === undefined ? text : server.kernel.messages.translate(text, language),
    );
    if (response.status === 500)
      server.kernel.log.error(
        { err: error, request_id: request.id, method: request.method, url: request.originalUrl },
        'request failed',
      );
    return response;
  }
}

/** The headers of CORS, by the policy of the site that the request was for. */
async function corsOf({ kernel }: Server, origin: string | undefined, { site }: SeenSite) {
  // An answer without an origin varies by it, too: a cache that gave it to a page elsewhere would lock that page out.
  if (origin === undefined) return { Vary: 'Origin' };
  return corsHeaders(corsPolicy(site ?? (await kernel.sites.current())), origin);
}

/** The headers of an answer with those of CORS; both may name what it varies by. */
function withCors(
  cors: Record<string, string>,
  headers: ServiceResponse['headers'] = {},
): Record<string, string | number> {
  const vary = [headers.Vary, cors.Vary].filter((value) => value !== undefined).join(', ');
  return { ...headers, ...cors, ...(vary === '' ? {} : { Vary: vary }) };
}

/** Sends an answer: JSON, text, a stream, or nothing. */
function send(
  reply: FastifyReply,
  { status, headers = {}, body, text, bytes, stream, contentType }: ServiceResponse,
): FastifyReply {
  reply.code(status).headers(SAFETY_HEADERS).headers(headers);
  if (stream && reply.request.method === 'HEAD') {
    stream.destroy();
    return reply.type(contentType ?? 'application/octet-stream').send();
  }
  if (stream) return reply.type(contentType ?? 'application/octet-stream').send(stream);
  if (bytes !== undefined) return reply.type(contentType ?? 'application/octet-stream').send(bytes);
  if (text !== undefined) return reply.type(contentType ?? 'text/plain; charset=utf-8').send(text);
  if (body !== undefined) return reply.type(contentType ?? 'application/json').send(JSON.stringify(body));
  return reply.send();
}

/** The answer to a preflight, for which nobody needs a permission. */
async function preflight(server: Server, request: FastifyRequest): Promise<ServiceResponse> {
  const policy = corsPolicy(await server.kernel.sites.current());
  const headers = preflightHeaders(policy, {
    origin: one(request.headers.origin),
    method: one(request.headers['access-control-request-method']),
    headers: one(request.headers['access-control-request-headers']),
  });
  return {
    status: 200,
    headers: { ...(headers ?? {}), Allow: 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS', 'Content-Length': 0 },
  };
}

/**
 * The HTTP server. Content addresses are no patterns that a router could know: every request goes one way,
 * `handle`. Errors of the protocol itself are answered in the same shape as all others.
 */
export function createHttpServer(server: Server): HttpServer {
  const app = Fastify({
    logger: false,
    genReqId: () => randomUUID(),
    rewriteUrl: () => '/',
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 300_000,
    trustProxy: believed(server.kernel.config.trustProxy),
    clientErrorHandler(error, socket) {
      const { status, body } = errorResponse(
        new BadRequest('The request is not understood: malformed HTTP or too large headers.'),
        '',
      );
      if (socket.writable && error.code !== 'ECONNRESET') {
        const text = JSON.stringify(body);
        socket.end(
          `HTTP/1.1 ${status} Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
        );
      } else socket.destroy();
    },
  });
  endConnections(app, server.kernel.log);
  app.removeAllContentTypeParsers();
  // Bodies are read in the request path, after the permission is checked and within the limit of the service.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  app.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    const client = status >= 400 && status < 500;
    send(
      reply,
      errorResponse(
        client ? new BadRequest(error instanceof Error ? error.message : 'Bad request') : error,
        request.id,
      ),
    );
    if (!client) server.kernel.log.error({ err: error, request_id: request.id }, 'request failed');
  });
  for (const method of [
    'PROPFIND',
    'PROPPATCH',
    'MKCOL',
    'COPY',
    'MOVE',
    'LOCK',
    'UNLOCK',
    'SEARCH',
    'REPORT',
    'MKCALENDAR',
  ])
    app.addHttpMethod(method, { hasBody: true });
  app.route({
    method: app.supportedMethods.filter((method) => method !== 'OPTIONS'),
    url: '/',
    handler: async (request, reply) => {
      const seen: SeenSite = {};
      const response = await respondTo(server, request, seen);
      const cors = await corsOf(server, one(request.headers.origin), seen);
      return send(reply, { ...response, headers: withCors(cors, response.headers) });
    },
  });
  app.options('/', async (request, reply) => send(reply, await preflight(server, request)));
  return app;
}
