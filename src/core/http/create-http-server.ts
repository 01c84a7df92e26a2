import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { OutageLog } from '../../database/outage-log.ts';
import { BadRequest, ClientError, RequestTimeout } from '../../lib/errors.ts';
import { jsonText } from '../../lib/frozen-json.ts';
import type { Log } from '../../lib/process/process.ts';
import { isTraced, requestIdOf } from '../../lib/process/trace.ts';
import { readerLanguage } from '../configuration/panels/languages.ts';
import { speaksPlone } from '../configuration/site/plone-names.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { ServiceResponse } from '../services/response.ts';
import type { Service } from '../services/service.ts';
import { corsHeaders, corsPolicy, preflightHeaders } from './cors.ts';
import { errorResponse } from './error-response.ts';
import { Exchange, type ExchangeParts } from './exchange.ts';
import { makerFor, withAcceptVary } from './negotiation.ts';
import { METRICS_PAGE, type MetricsPage, OBSERVED } from './observed.ts';
import { asClientError, isStorageFailure } from './outages.ts';
import { isOutsideOn, withCacheControl } from './outside-caches.ts';
import { requestAddress } from './request-address.ts';
import { ClientLeft, RequestEnd } from './request-end.ts';
import { handle, type Server } from './request-path.ts';
import type { SeenSite } from './seen-site.ts';
import { requestedHost, type Trust, trustOf } from './trusted-proxies.ts';
import { withUnreadBody } from './unread-body.ts';
import { header, isReading, type WireRequest } from './wire-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange;
  }
}

/** The server that listens on a port. */
export type HttpServer = FastifyInstance;

/**
 * Headers of every response: browsers must not treat any of them as a page of this origin. In lower case, as Fastify keeps names, so that
 * it need not make new ones.
 */
const SAFETY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
};

/** The safety headers as lines, for a response that is written without Fastify. */
const SAFETY_LINES = Object.entries(SAFETY_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** A request and its reply, as Fastify has them. */
type Received = { request: FastifyRequest; reply: FastifyReply };

/** The request as it came over the wire. Requests that its work sends to the API have their own facts, which `onAsked` gets. */
function wireRequest(
  server: Server,
  { request, reply, storage }: Received & { storage: OutageLog },
  trust: Trust,
  onAsked: (found: SeenSite) => void,
): WireRequest {
  let end: RequestEnd | undefined;
  const { method, originalUrl: target, protocol: scheme, headers, raw: body, ip: clientAddress } = request;
  const wire: WireRequest = {
    method,
    target,
    scheme,
    host: requestedHost(request),
    headers,
    body,
    clientAddress,
    fromTrustedProxy: trust(request.socket.remoteAddress ?? '', 0),
    trace: request.exchange.trace,
    end: () => (end ??= new RequestEnd(reply.raw)),
    async ask(asked) {
      let innerEnd: RequestEnd | undefined;
      const inner = { ...wire, ...asked, end: () => (innerEnd ??= new RequestEnd(reply.raw)) };
      const seen: SeenSite = {};
      const response = await respondTo(server, inner, { request, storage, seen });
      onAsked(seen);
      return response;
    },
  };
  return wire;
}

/** The response of the API, also to a request that fails. */
async function respondTo(
  server: Server,
  wire: WireRequest,
  { request, storage, seen }: { request: FastifyRequest; storage: OutageLog; seen: SeenSite },
): Promise<ServiceResponse> {
  try {
    return await handle(server, wire, seen);
  } catch (error) {
    // Nobody reads it.
    if (error instanceof ClientLeft) return { status: 503 };
    const site = seen.site ?? server.kernel.sites.last;
    const language = site && readerLanguage(site, header(wire, 'accept-language'), seen.language);
    const response = errorResponse(asClientError(error), {
      requestId: request.id,
      translate: (text) => (language === undefined ? text : server.kernel.messages.translate(text, language)),
      context: seen.site && speaksPlone(seen.site) ? seen.nearest?.() : undefined,
    });
    // The database reports its own outages.
    if (isStorageFailure(error)) storage.failed(error);
    if (response.status === 500)
      server.kernel.log.error(
        { err: error, request_id: request.id, method: request.method, url: request.originalUrl },
        'request failed',
      );
    await seen.onRefusal?.(response).catch((failure: unknown) => {
      server.kernel.log.error({ err: failure, request_id: request.id }, 'a refusal could not be kept');
    });
    return response;
  }
}

const VARY_ORIGIN = { Vary: 'Origin' };

/** The CORS headers, by the policy of the site of the request. */
async function corsOf({ kernel }: Server, origin: string | undefined, { site, service }: SeenSite) {
  // A response to a request without an origin varies by it as well: from a cache, it would block pages of other origins.
  if (origin === undefined) return VARY_ORIGIN;
  return corsHeaders(corsPolicy(site ?? (await presentOrLast(kernel)), service ? [service] : []), origin);
}

/** The site as configured now, or as last loaded while the database cannot be reached. */
async function presentOrLast({ sites }: Kernel): Promise<Site> {
  try {
    return await sites.current();
  } catch (error) {
    if (!sites.last || !(asClientError(error) instanceof ClientError)) throw error;
    return sites.last;
  }
}

/** Adds the headers for caches outside, where the site has such headers. */
function forCaches(
  { kernel }: Server,
  request: FastifyRequest,
  { site = kernel.sites.last }: SeenSite,
  response: ServiceResponse,
): ServiceResponse {
  return isReading(request) && isOutsideOn(kernel, site)
    ? withAcceptVary(kernel, withCacheControl(response))
    : response;
}

/** Headers of a response beside its own: those of its service, which go before them, and those of CORS and the timing. */
type HeadersAround = {
  always?: Service['always'];
  cors?: Record<string, string>;
  timing?: string | undefined;
};

/** Sets the headers of a response. `Vary` is joined from its own and that of CORS. */
function setHeaders(
  reply: FastifyReply,
  own: ServiceResponse['headers'],
  { always, cors, timing }: HeadersAround,
): void {
  reply.headers(SAFETY_HEADERS);
  if (always) reply.headers(always);
  if (own) reply.headers(own);
  if (cors) reply.headers(cors);
  if (own?.Vary !== undefined && cors?.Vary !== undefined) reply.header('vary', `${own.Vary}, ${cors.Vary}`);
  if (timing !== undefined) reply.header('Server-Timing', timing);
  reply.header('x-request-id', reply.request.id);
}

/** Sends a response: JSON, text, bytes, a stream, or nothing. */
function send(
  reply: FastifyReply,
  { status, headers, body, text, bytes, stream, contentType }: ServiceResponse,
  around: HeadersAround = {},
): FastifyReply {
  setHeaders(reply.code(status), headers, around);
  // Node would parse the rest of the body as the next request.
  if (!reply.request.raw.complete) {
    reply.header('Connection', 'close');
    const whole = bytes ?? text ?? (body === undefined ? undefined : JSON.stringify(body));
    if (whole !== undefined) {
      const sent = Buffer.from(whole);
      reply.type(contentType ?? (text === undefined ? 'application/json' : 'text/plain; charset=utf-8'));
      return reply.header('Content-Length', sent.length).send(withUnreadBody(sent, reply.request.raw));
    }
  }
  if (stream && reply.request.method === 'HEAD') {
    stream.destroy();
    return reply.type(contentType ?? 'application/octet-stream').send();
  }
  if (stream) reply.request.exchange.streams();
  if (stream) return reply.type(contentType ?? 'application/octet-stream').send(stream);
  if (bytes !== undefined) return reply.type(contentType ?? 'application/octet-stream').send(bytes);
  if (text !== undefined) return reply.type(contentType ?? 'text/plain; charset=utf-8').send(text);
  if (body !== undefined) return reply.type(contentType ?? 'application/json').send(jsonText(body));
  return reply.send();
}

/** The services of all methods at an address; none where it is malformed. */
function servicesAt({ kernel, services }: Server, request: FastifyRequest): Service[] {
  const { originalUrl, protocol: scheme } = request;
  const host = requestedHost(request);
  try {
    const { service: name } = requestAddress(originalUrl, {
      ...{ scheme, host, publicUrl: kernel.config.publicUrl },
      trusted: false,
    });
    return services.all().filter((service) => service.name === name);
  } catch (error) {
    if (error instanceof ClientError) return [];
    throw error;
  }
}

/** The response to OPTIONS, such as a preflight request, which needs no permission. */
async function preflight(server: Server, request: FastifyRequest): Promise<ServiceResponse> {
  const site = await presentOrLast(server.kernel);
  const services = servicesAt(server, request);
  const described = services.flatMap(({ options }) => (options ? [options(site)] : []));
  const method = header(request, 'access-control-request-method');
  const headers = preflightHeaders(corsPolicy(site, services), {
    origin: header(request, 'origin'),
    method,
    headers: header(request, 'access-control-request-headers'),
  });
  return {
    status: described.length > 0 && method === undefined ? 204 : 200,
    headers: {
      ...Object.assign({}, ...described),
      ...(headers ?? {}),
      Allow: 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS',
      ...(described.length > 0 && method === undefined ? {} : { 'Content-Length': 0 }),
    },
  };
}

/** Says if a request asks for the page of metrics, where that is open on the port of the site. */
const isMetricsPath = (target: string): boolean => target === '/metrics' || target.startsWith('/metrics?');

async function sendMetrics(metrics: MetricsPage, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return send(reply, await metrics(header(request, 'authorization')));
}

/** Follows each request from its head to the end of its response. */
function watchExchanges(app: FastifyInstance, { kernel, services, work }: Server): void {
  const { config, log, slots } = kernel;
  const observed = slots.get(OBSERVED);
  const parts: ExchangeParts = {
    counts: observed.requests,
    names: new Set(services.all().map(({ name }) => name)),
    accessLog: config.accessLog ? log : undefined,
    isTraced: isTraced(),
  };
  const connections = promisify(app.server.getConnections).bind(app.server);
  observed.server = { connections, work };
  app.addHook('onRequest', (request, reply, done) => {
    request.exchange = new Exchange(parts, request, reply);
    done();
  });
}

/** Replaces Fastify's schema compilers, because no route has a schema here: to load their packages takes a tenth of the time of a start. */
const withoutSchemas = (): never => {
  throw new Error('Routes have no schemas: services check their requests themselves');
};

/** Time for requests under way once the server begins to close; supervisors kill the process soon after. */
const CLOSE_GRACE_MS = 10_000;

/**
 * Ends the connections of a closing server: idle ones at once, the others when their response is sent. Connections whose
 * client neither ends its request nor receives its response are ended after the grace time.
 */
function endConnections(app: FastifyInstance, log: Log): void {
  app.addHook('preClose', async () => {
    // A connection whose streamed response is just ending is not idle yet when the server begins to close.
    const idle = setInterval(() => app.server.closeIdleConnections(), 20).unref();
    const late = setTimeout(() => {
      log.warn(`requests were cut off: they did not end within ${CLOSE_GRACE_MS / 1000} seconds`);
      app.server.closeAllConnections();
    }, CLOSE_GRACE_MS).unref();
    app.server.once('close', () => {
      clearInterval(idle);
      clearTimeout(late);
    });
  });
}

/**
 * The HTTP server. Addresses of content cannot be described by the patterns of a router, so `handle` gets every request.
 * Errors of the protocol itself have the same response body as all others.
 */
export function createHttpServer(server: Server): HttpServer {
  const { kernel } = server;
  const { trustProxy } = kernel.config;
  const trust = trustOf(trustProxy);
  const storage = new OutageLog('A disk or the object store', (message, error) =>
    error === undefined ? kernel.log.warn(message) : kernel.log.error({ err: error }, message),
  );
  const responses = new WeakMap<Duplex, ServerResponse>();
  const app = Fastify({
    logger: false,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    schemaController: { compilersFactory: { buildValidator: withoutSchemas, buildSerializer: withoutSchemas } },
    rewriteUrl: () => '/',
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 300_000,
    trustProxy: trustProxy !== undefined && trust,
    clientErrorHandler(error, socket) {
      const response = responses.get(socket);
      // The client would take a second response for bytes of the first one.
      if (response?.headersSent && !response.writableFinished) {
        socket.end();
        return;
      }
      const { status, body } = errorResponse(
        error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? new RequestTimeout()
          : new BadRequest('The request is not understood: malformed HTTP or too large headers.'),
        { requestId: '' },
      );
      if (socket.writable && error.code !== 'ECONNRESET') {
        const text = JSON.stringify(body);
        socket.end(
          `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${SAFETY_LINES}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
        );
      } else socket.destroy();
    },
  });
  endConnections(app, server.kernel.log);
  watchExchanges(app, server);
  app.server.on('connection', () => server.arrivals.take());
  app.server.on('request', (request, response) => responses.set(request.socket, response));
  app.removeAllContentTypeParsers();
  // `handle` receives the body, after the permission check and within the limit of the service.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  app.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    const isOfClient = status >= 400 && status < 500;
    const known = isOfClient
      ? new BadRequest(error instanceof Error ? error.message : 'Bad request')
      : asClientError(error);
    // The headers of the stream do not describe the error that is sent instead.
    for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
    send(reply, errorResponse(known, { requestId: request.id }));
    if (isStorageFailure(error)) storage.failed(error);
    if (!(known instanceof ClientError))
      server.kernel.log.error({ err: error, request_id: request.id }, 'request failed');
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
  const metrics = kernel.slots.find(METRICS_PAGE);
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (metrics && isMetricsPath(request.originalUrl)) return sendMetrics(metrics, request, reply);
    const { seen } = request.exchange;
    const wire = wireRequest(server, { request, reply, storage }, trust, (found) => {
      // A request is counted for the first service that it asks the API for, but does not get the headers of that service.
      seen.serviceName ??= found.serviceName ?? '';
      if (found.reader) seen.reader ??= found.reader;
    });
    const other = makerFor(kernel, wire)?.respond(wire, wire.ask);
    const made = await (other ?? respondTo(server, wire, { request, storage, seen }));
    const response = forCaches(server, request, seen, made);
    // Writes and responses from files have used the stores.
    if (response.status < 300 && (response.stream || request.method !== 'GET')) storage.worked();
    const cors = await corsOf(server, header(request, 'origin'), seen);
    const timing = seen.reader?.seesTiming ? request.exchange.timing : undefined;
    return send(reply, response, { always: seen.service?.always, cors, timing });
  };
  app.route({
    method: app.supportedMethods.filter((method) => method !== 'OPTIONS'),
    url: '/',
    handler: (request, reply) => request.exchange.within(() => answer(request, reply)),
  });
  app.options('/', async (request, reply) => send(reply, await preflight(server, request)));
  return app;
}
