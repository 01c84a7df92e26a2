import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Registry } from 'prom-client';
import { type BackgroundWork, type Kernel, METRICS_PAGE, type MetricsPage } from '#core';
import { processMetrics } from './process-metrics.ts';
import { queueMetrics } from './queue-metrics.ts';
import { serverMetrics } from './server-metrics.ts';

const PLAIN = 'text/plain; charset=utf-8';
const NO_STORE = { 'Cache-Control': 'no-store' };
/** Milliseconds that a client of the metrics port may take for its request. */
const REQUEST_TIMEOUT_MS = 5000;
/** Maximum number of simultaneous connections to the metrics port. */
const MAX_CONNECTIONS = 20;

/** Says if two secrets are equal, in a time that reveals nothing about them. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((secret) => createHash('sha256').update(secret).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** The metrics of one kernel: no other kernel of the process adds to them. */
class Metrics {
  readonly #registry = new Registry();
  readonly #token: string | undefined;
  readonly #process: BackgroundWork;

  constructor(kernel: Kernel) {
    this.#token = kernel.config.metricsToken;
    serverMetrics(this.#registry, kernel);
    queueMetrics(this.#registry, kernel);
    this.#process = processMetrics(this.#registry);
  }

  /** The response to a request with an `Authorization` header. It is 401 when a token is configured and the request does not have it. */
  readonly page: MetricsPage = async (authorization) => {
    const token = this.#token;
    if (token !== undefined && !isSame(authorization ?? '', `Bearer ${token}`)) {
      const headers = { 'WWW-Authenticate': 'Bearer', 'Content-Type': PLAIN, ...NO_STORE };
      return { status: 401, headers, text: 'The token of METRICS_TOKEN is needed.\n' };
    }
    const headers = { 'Content-Type': this.#registry.contentType, ...NO_STORE };
    return { status: 200, headers, text: await this.#registry.metrics() };
  };

  async close(): Promise<void> {
    await this.#process.close();
  }
}

/** Serves metrics on a port of their own. Throws when the port is not available. */
async function listen({ config, log }: Kernel, metrics: Metrics, port: number): Promise<BackgroundWork> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, async (request, response) => {
    const isPage = request.url?.split('?', 1)[0] === '/metrics' && ['GET', 'HEAD'].includes(request.method ?? '');
    try {
      const { status, headers, text } = isPage
        ? await metrics.page(request.headers.authorization)
        : { status: 404, headers: { 'Content-Type': PLAIN }, text: 'The metrics are at /metrics.\n' };
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : text);
    } catch (error) {
      log.error({ err: error }, 'the metrics could not be collected');
      response.writeHead(500, { 'Content-Type': PLAIN }).end('The log has the cause.\n');
    }
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, config.metricsHost);
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  log.info({ host: config.metricsHost, port: bound }, 'metrics are served');
  return {
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Serves the metrics where the config says: on a port of their own, or on the port of the site with a token. */
export async function openMetrics(kernel: Kernel): Promise<BackgroundWork> {
  const { metricsPort } = kernel.config;
  const metrics = new Metrics(kernel);
  if (metricsPort === undefined) {
    kernel.slots.set(METRICS_PAGE, metrics.page);
    return metrics;
  }
  try {
    const served = await listen(kernel, metrics, metricsPort);
    return { close: async () => void (await Promise.all([served.close(), metrics.close()])) };
  } catch (error) {
    await metrics.close();
    throw error;
  }
}
