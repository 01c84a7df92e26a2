import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveSite } from '../../src/app/serve-site.ts';
import { requestTo } from '../../src/app/test-client.ts';
import { quickestEngine } from '../support/database.ts';
import { collectLog } from '../support/log-lines.ts';
import { createTestKernel } from '../support/site.ts';

/** A site as `canopy start` serves it, with the lines of its log. */
export async function startObservedSite(environment: Record<string, string> = {}) {
  const { lines, log } = collectLog();
  const { kernel, close } = await createTestKernel(quickestEngine(), { environment, log });
  const served = await serveSite(kernel, { host: '127.0.0.1', port: 0 });
  const metricsPort = () => Number(lines.find(({ msg }) => msg === 'metrics are served')?.port);
  return {
    url: served.url,
    kernel,
    lines,
    request: requestTo(served.url),
    metricsAddress: () => `http://127.0.0.1:${metricsPort()}/metrics`,
    /** The lines about the requests of an id. */
    linesOf: (id: string) => lines.filter(({ request_id }) => request_id === id),
    async close() {
      await served.close();
      await close();
    },
  };
}

export type ObservedSite = Awaited<ReturnType<typeof startObservedSite>>;

/** The metrics of a page, by their names with labels as they stand there. */
export async function readMetrics(address: string, headers: Record<string, string> = {}): Promise<Map<string, number>> {
  const response = await fetch(address, { headers });
  if (response.status !== 200) throw new Error(`The metrics have the status ${response.status}`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

/** Another system, which answers everything with 200 and remembers what it got. */
export async function startOtherSystem() {
  const requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method, url: request.url, headers: request.headers });
    request.resume().on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
