import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestTo } from '../../src/app/test-client.ts';
import { CHANGE_FEED } from '../../src/core/cache/change-feed.ts';
import { ResponseCache } from '../../src/core/cache/response-cache.ts';
import { RowCache } from '../../src/core/cache/row-cache.ts';
import { UNWATCHED_TABLES } from '../../src/core/cache/unwatched-tables.ts';
import { removeContent } from '../../src/core/content/remove-content.ts';
import { cachedReads } from '../../src/core/http/cached-reads.ts';
import { createHttpServer } from '../../src/core/http/create-http-server.ts';
import { givingWay } from '../../src/core/http/request-database.ts';
import { withLayers } from '../../src/core/http/request-layers.ts';
import { perform } from '../../src/core/http/request-path.ts';
import { tokenOf } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { startTestSite, type TestSite, type Who } from '../support/site.ts';
import { beginLife, prepare } from '../tree/live.ts';
import { ADMIN } from '../tree/people.ts';
import { lifeOf } from '../tree/steps/any-step.ts';
import type { Step } from '../tree/steps/step.ts';

/** The number of paths that are read after each step. */
const MAX_READ = 4;
/** Suffixes of the addresses that are read for each path. */
const QUERIES = [
  '?',
  '?expand=breadcrumbs,actions,workflow,types&',
  '?fullobjects&',
  '?metadata_fields=_all&b_size=3&',
  '/@search?SearchableText=title&metadata_fields=_all&',
];

describeEachEngine('responses that are kept while something changes', (engine) => {
  let site: TestSite;
  /** Sends requests to a server of the same site that keeps nothing. */
  let forgetful: TestSite['request'];
  let stop: () => Promise<unknown>;
  let readers: Who[];
  let asked = 0;

  beforeAll(async () => {
    site = await startTestSite(engine, { environment: { PUBLIC_URL: 'https://example.org' } });
    await prepare(site.kernel);
    const { kernel, server } = site;
    const feed = kernel.slots.get(CHANGE_FEED);
    const layers = [
      cachedReads({ db: kernel.db, rows: new RowCache(feed, 0), unwatched: kernel.slots.get(UNWATCHED_TABLES) }),
      givingWay(server.arrivals),
    ];
    const app = createHttpServer({
      ...server,
      cache: new ResponseCache(feed, 0),
      perform: withLayers((work) => perform(server, work), layers),
    });
    forgetful = requestTo(await app.listen({ port: 0, host: '127.0.0.1' }));
    stop = () => app.close();
    readers = ['anonymous', await tokenOf(site, 'admin')];
  });
  afterAll(async () => {
    await stop?.();
    await site?.close();
  });

  const read = async (path: string, as: Who, request = site.request) => {
    const { status, text } = await request('GET', path, { as });
    return { status, text: text.replace(/[?&]expand=asked-\d+/g, '') };
  };

  /**
   * Checks that the cached response of an address, and the one to a new query, which may be made of kept rows, equal the
   * response of a server that keeps nothing.
   */
  async function compare(path: string, as: Who, query: string, step: string): Promise<void> {
    asked += 1;
    const unknown = `${path}${query}expand=asked-${asked}`;
    const fresh = await read(unknown, as, forgetful);
    expect(await read(`${path}${query}expand=asked-0`, as), `${path}${query} after ${step}`).toEqual(fresh);
    expect(await read(unknown, as), `${path}${query} made of kept rows after ${step}`).toEqual(fresh);
    const tracked = await site.request('GET', `${path}${query}utm_source=letter-${asked}`, { as });
    const plain = tracked.text.replace(/[?&]utm_source=letter-\d+/g, '');
    expect({ status: tracked.status, text: plain }, `${path}${query} with unknown parameters`).toEqual(fresh);
  }

  async function live(steps: readonly Step[]): Promise<void> {
    const { kernel } = site;
    const { path, tree, bin } = await beginLife(kernel);
    for (const step of steps) {
      tree.now += 1;
      await step.run({ kernel, tree, bin });
      const paths = tree.all().map((node) => tree.path(node));
      for (const one of ['/', ...paths.slice(0, MAX_READ)])
        await Promise.all(
          readers.flatMap((as) => QUERIES.map((query) => compare(one === '/' ? '' : one, as, query, String(step)))),
        );
    }
    await removeContent(kernel, { caller: ADMIN, path, lockToken: undefined });
  }

  it('cached responses equal new ones after each of many random changes', { timeout: 240_000 }, async () => {
    await fc.assert(fc.asyncProperty(lifeOf({ maxLength: 12 }), live), { numRuns: propertyRuns(1, 6) });
  });
});
