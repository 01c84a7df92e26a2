import { setTimeout as sleep } from 'node:timers/promises';
import { createKernel } from '../../../src/app/create-kernel.ts';
import { serveSite } from '../../../src/app/serve-site.ts';
import { requestTo } from '../../../src/app/test-client.ts';
import { OBSERVED } from '../../../src/core/http/observed.ts';
import { collectLog } from '../../support/log-lines.ts';
import { createTestKernel } from '../../support/site.ts';

/** The line of the log at the end of a warm-up. */
export const WARM = 'the caches are warm: visitors asked for this most';
/** The line about a list that is not used. */
export const NOT_USED = 'the list of what was asked most is not used';

/** A site whose server can be started again and again. `serve` starts a process, beside others that run. */
export async function createRestartedSite(
  engine: Parameters<typeof createTestKernel>[0],
  environment: Record<string, string> = {},
) {
  const { lines, log } = collectLog();
  const settings = { PUBLIC_URL: 'https://www.example.org', ACCESS_LOG: '1', WARM_UP: 'on', ...environment };
  const { kernel: first, close } = await createTestKernel(engine, { environment: settings, log });
  const { config, db, blobs } = first;

  async function serve() {
    lines.length = 0;
    const kernel = createKernel({ config, log, db, blobs });
    const served = await serveSite(kernel, { host: '127.0.0.1', port: 0, jobs: false });
    const { caches, warmUp } = kernel.slots.get(OBSERVED);
    const request = requestTo(served.url);
    return {
      ...{ url: served.url, request, warmUp, responses: caches.responses },
      close: () => served.close(),
      /** Requests of a visitor. Returns `hit` or `miss` for each, as the log says. */
      async visit(paths: readonly string[], headers: Record<string, string> = {}): Promise<unknown[]> {
        const found: unknown[] = [];
        for (const path of paths) {
          const id = `visit-${Math.random()}`;
          const options = { as: 'anonymous', headers: { 'X-Request-Id': id, ...headers } } as const;
          await request('GET', path, options);
          const line = await waitFor(() => lines.find(({ request_id }) => request_id === id));
          found.push(line.cache);
        }
        return found;
      },
    };
  }

  /** The value of a function once it has one; fails after ten seconds. */
  async function waitFor<T>(find: () => T | undefined): Promise<T> {
    for (let i = 0; i < 1000; i += 1) {
      const found = find();
      if (found !== undefined) return found;
      await sleep(10);
    }
    throw new Error(`It did not come. The log: ${JSON.stringify(lines)}`);
  }

  return {
    ...{ db, lines, serve, close },
    line: (msg: string) => waitFor(() => lines.find((line) => line.msg === msg)),
    /** The stored list as text; undefined without one. */
    async list(): Promise<string | undefined> {
      return (await db.query<{ list: string }>({ text: 'select list from asked_addresses' }))[0]?.list;
    },
    /** The targets of the stored list, the most frequent first. */
    async targets(): Promise<string[]> {
      const [row] = await db.query<{ list: string }>({ text: 'select list from asked_addresses' });
      const { addresses }: { addresses: { target: string }[] } = JSON.parse(row?.list ?? '{"addresses":[]}');
      return addresses.map(({ target }) => target);
    },
  };
}

export type RestartedSite = Awaited<ReturnType<typeof createRestartedSite>>;
