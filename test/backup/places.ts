import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSite } from '../../src/app/open-site.ts';
import { serveSite } from '../../src/app/serve-site.ts';
import { ADMIN, requestTo } from '../../src/app/test-client.ts';
import { parseConfig } from '../../src/core/configuration/environment/config.ts';
import { createLog } from '../../src/lib/process/process.ts';
import { createTestDatabase } from '../support/database.ts';
import type { Engine } from '../support/engines.ts';
import type { TestSite } from '../support/site.ts';

/** Settings of places for sites, which are gone at the end. */
export class Places {
  readonly #ends: (() => Promise<void>)[] = [];

  /** A new folder. */
  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'canopy-backup-'));
    this.#ends.push(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  /** An empty place on an engine, with the files on disk. */
  async empty(engine: Engine): Promise<Record<string, string>> {
    const environment = { DATA_DIR: join(await this.folder(), 'data'), ADMIN_PASSWORD: 'admin' };
    if (engine === 'pglite') return environment;
    const { url = '', drop } = await createTestDatabase(engine, { migrated: false });
    this.#ends.push(drop);
    return { ...environment, DATABASE_URL: url };
  }

  /** Serves the site of a place as the start does it; `close` ends it. */
  async serve(environment: Record<string, string>): Promise<TestSite> {
    const { kernel, close } = await openSite(parseConfig(environment), createLog('silent'), { create: true });
    const served = await serveSite(kernel, { host: '127.0.0.1', port: 0 });
    let isOpen = true;
    const end = async () => {
      if (!isOpen) return;
      isOpen = false;
      await served.close();
      await close();
    };
    this.#ends.push(end);
    const { url, server } = served;
    return { url, server, kernel, admin: ADMIN, request: requestTo(url), close: end };
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }
}
