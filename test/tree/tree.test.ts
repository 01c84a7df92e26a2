import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { locate } from '../../src/content/locate.ts';
import { make } from '../content/make.ts';
import { describeEachEngine } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';
import { type Action, action, perform } from './actions.ts';
import { checkTree } from './invariants.ts';
import { Model } from './model.ts';

describeEachEngine('whatever an admin does to the tree', (engine) => {
  let test: Awaited<ReturnType<typeof createTestKernel>>;
  let runs = 0;

  beforeAll(async () => {
    test = await createTestKernel(engine);
  });
  afterAll(() => test?.close());

  async function run(actions: Action[]): Promise<void> {
    const { kernel } = test;
    runs += 1;
    const path = await make(kernel, '/', { '@type': 'Folder', id: `run-${runs}` });
    const uid = (await locate(kernel, path)).located?.object.uid ?? '';
    const model = new Model(path, uid);
    for (const asked of actions) await perform(kernel, model, asked);
    await checkTree(kernel, model);
  }

  it('names, paths, order, viewers, references and old addresses agree', { timeout: 120_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(action, { maxLength: 25, size: 'max' }), run), { numRuns: 15 });
  });

  it('a long life of one tree leaves it whole', { timeout: 120_000 }, async () => {
    const [life = []] = fc.sample(fc.array(action, { minLength: 100, maxLength: 100, size: 'max' }), {
      numRuns: 1,
      seed: 20_261_120,
    });
    await run(life);
  });
});
