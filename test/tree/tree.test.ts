import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';
import { live, prepare } from './live.ts';
import { lifeOf } from './steps/any-step.ts';

describeEachEngine('whatever is done to the tree', (engine) => {
  let test: Awaited<ReturnType<typeof createTestKernel>>;

  beforeAll(async () => {
    test = await createTestKernel(engine);
    await prepare(test.kernel);
  });
  afterAll(() => test?.close());

  it('after random operations names, paths, order, viewers, references, versions, old addresses and the bin agree', {
    timeout: 120_000,
  }, async () => {
    const property = fc.asyncProperty(lifeOf({ maxLength: 16 }), (steps) => live(test.kernel, steps));
    await fc.assert(property, { numRuns: 15 });
  });

  it('a long life of one tree leaves it whole', { timeout: 120_000 }, async () => {
    const [life = []] = fc.sample(lifeOf({ minLength: 100, maxLength: 100 }), { numRuns: 1, seed: 20_261_120 });
    await live(test.kernel, life);
  });
});
