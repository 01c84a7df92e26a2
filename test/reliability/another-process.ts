import { inject } from 'vitest';
import { createKernel } from '../../src/app/create-kernel.ts';
import { type ServedSite, serveSite } from '../../src/app/serve-site.ts';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import type { Feature } from '../../src/core/services/feature.ts';
import type { ProblemLog } from '../../src/database/database.ts';
import { PostgresDatabase } from '../../src/database/postgres/database.ts';
import type { SharedSite } from '../support/use-site.ts';
import { withDatabaseName } from '../support/with-database-name.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';

/** A second server of a site, which reaches PostgreSQL through a proxy. */
export type AnotherProcess = { url: string; proxy: CuttingProxy; kernel: Kernel; close(): Promise<void> };

/** Starts another server of a site on PostgreSQL, with the same features. `log` receives the problems of its storage. */
export async function startAnotherProcess(
  site: SharedSite,
  { log = () => {}, features = [] }: { log?: ProblemLog; features?: readonly Feature[] } = {},
): Promise<AnotherProcess> {
  const [{ name } = { name: '' }] = await site.kernel.db.query<{ name: string }>({
    text: 'select current_database() as name',
  });
  const direct = new URL(withDatabaseName(inject('templates').postgresql?.url ?? '', name));
  const proxy = await startCuttingProxy({ host: direct.hostname || '127.0.0.1', port: Number(direct.port || 5432) });
  const proxied = new URL(direct);
  proxied.host = `127.0.0.1:${proxy.port}`;
  const db = new PostgresDatabase(proxied.href, { log });
  const { config, log: processLog, blobs } = site.kernel;
  const kernel = createKernel({ config, log: processLog, db, blobs, features });
  const served: ServedSite = await serveSite(kernel, { host: '127.0.0.1', port: 0, jobs: false });
  return {
    url: served.url,
    proxy,
    kernel,
    async close() {
      await served.close();
      await db.close();
      await proxy.close();
    },
  };
}
