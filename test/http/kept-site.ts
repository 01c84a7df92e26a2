import { expect } from 'vitest';
import { createKernel } from '../../src/app/create-kernel.ts';
import { createServer } from '../../src/app/create-server.ts';
import { requestTo } from '../../src/app/test-client.ts';
import { KEPT_TREES } from '../../src/core/serializer/components/kept-tree.ts';
import { addPerson, tokenOf } from '../content/people.ts';
import { CountingDatabase, LOOKS } from '../support/counting-database.ts';
import type { Engine } from '../support/engines.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

/** A site that keeps responses and rows, beside a server of the same database that keeps nothing. */
export type KeptSite = {
  site: TestSite;
  /** A visitor, the user `reader`, and an administrator. */
  readers: Who[];
  admin: Who;
  /** Sends a request of the administrator; anything below 500 is an answer. */
  send(method: string, path: string, json?: Json): Promise<{ status: number; body: Json }>;
  /** Checks for all readers that what is kept of some addresses equals what is made anew. */
  compare(addresses: readonly string[], step: string): Promise<void>;
  /** The names of the statements that were run for `work`, without those that look for changes. */
  statementsOf(work: () => Promise<void>): Promise<string[]>;
  close(): Promise<void>;
};

/** Starts such a site. */
export async function startKeptSite(engine: Engine): Promise<KeptSite> {
  let database: CountingDatabase | undefined;
  const site = await startTestSite(engine, {
    environment: { PUBLIC_URL: 'https://example.org' },
    wrap: (db) => {
      database = new CountingDatabase(db);
      return database;
    },
  });
  const { config, log, blobs, db } = site.kernel;
  const sizes = Object.keys(config).filter((name) => name.endsWith('CacheBytes'));
  const without = { ...config, ...Object.fromEntries(sizes.map((name) => [name, 0])) };
  const kernel = createKernel({ config: without, log, db, blobs });
  kernel.slots.get(KEPT_TREES).whole = async () => undefined;
  const { app, close } = await createServer(kernel);
  const fresh = requestTo(await app.listen({ port: 0, host: '127.0.0.1' }));
  const admin = await tokenOf(site, 'admin');
  const readers: Who[] = ['anonymous', await addPerson(site, { id: 'reader' }), admin];
  return {
    site,
    readers,
    admin,
    async send(method, path, json) {
      const more = json === undefined ? {} : { json };
      const { status, body, text } = await site.request(method, path, { as: admin, ...more });
      expect(status, `${method} ${path}: ${text}`).toBeLessThan(500);
      return { status, body };
    },
    async compare(addresses, step) {
      for (const as of readers)
        for (const address of addresses) {
          const kept = await site.request('GET', address, { as });
          const { status, text } = await fresh('GET', address, { as });
          expect({ status: kept.status, text: kept.text }, `${address} after ${step}`).toEqual({ status, text });
        }
    },
    async statementsOf(work) {
      const run = (await database?.during(work)) ?? [];
      return run.filter((name) => !LOOKS.includes(name));
    },
    async close() {
      await close();
      await site.close();
    },
  };
}
