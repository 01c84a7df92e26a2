import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { locate } from '../../src/content/locate.ts';
import { removeContent } from '../../src/content/remove-content.ts';
import { make } from '../content/make.ts';
import { tokenOf } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite, type Who } from '../support/site.ts';
import { Bin } from '../tree/bin.ts';
import { prepare } from '../tree/live.ts';
import { ADMIN } from '../tree/people.ts';
import { lifeOf } from '../tree/steps/any-step.ts';
import type { Step } from '../tree/steps/step.ts';
import { Tree } from '../tree/tree.ts';

/** The number of paths that are read after each step. */
const MAX_READ = 6;
/** The queries that are sent to each path. */
const QUERIES = [
  '?',
  '?expand=breadcrumbs,actions,workflow,types&',
  '?fullobjects&',
  '?metadata_fields=_all&b_size=3&',
];

describeEachEngine('responses that are kept while something changes', (engine) => {
  let site: TestSite;
  let readers: Who[];
  let asked = 0;

  beforeAll(async () => {
    site = await startTestSite(engine);
    await prepare(site.kernel);
    readers = ['anonymous', await tokenOf(site, 'admin')];
  });
  afterAll(() => site?.close());

  const read = async (path: string, as: Who) => {
    const { status, text } = await site.request('GET', path, { as });
    return { status, text: text.replace(/[?&]expand=asked-\d+/g, '') };
  };

  /** Checks that the cached response of an address equals the response to a new query, which cannot be cached. */
  async function compare(path: string, step: string): Promise<void> {
    for (const as of readers)
      for (const query of QUERIES) {
        const kept = await read(`${path}${query}expand=asked-0`, as);
        asked += 1;
        const fresh = await read(`${path}${query}expand=asked-${asked}`, as);
        expect(kept, `${path}${query} after ${step}`).toEqual(fresh);
        const tracked = await site.request('GET', `${path}${query}utm_source=letter-${asked}`, { as });
        const plain = tracked.text.replace(/[?&]utm_source=letter-\d+/g, '');
        expect({ status: tracked.status, text: plain }, `${path}${query} with unknown parameters`).toEqual(fresh);
      }
  }

  async function live(steps: readonly Step[]): Promise<void> {
    const { kernel } = site;
    await kernel.db.query({ text: `delete from content where path = '/life'` });
    await kernel.db.query({ text: 'delete from recycled' });
    const path = await make(kernel, '/', { '@type': 'Folder', id: 'life' });
    const { resolved } = await locate(kernel, path);
    const tree = new Tree('life', resolved?.object.uid ?? '');
    const bin = new Bin(tree);
    for (const step of steps) {
      tree.now += 1;
      await step.run({ kernel, tree, bin });
      const paths = tree.all().map((node) => tree.path(node));
      for (const one of ['/', ...paths.slice(0, MAX_READ)]) await compare(one, String(step));
    }
    await removeContent(kernel, { caller: ADMIN, path, lockToken: undefined });
  }

  it('cached responses equal new ones after each of many random changes', { timeout: 240_000 }, async () => {
    await fc.assert(fc.asyncProperty(lifeOf({ maxLength: 12 }), live), { numRuns: 6 });
  });
});
