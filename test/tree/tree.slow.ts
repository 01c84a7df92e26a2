import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';
import { live, prepare } from './live.ts';
import { lifeOf } from './steps/any-step.ts';

const HOUR = 60 * 60 * 1000;
const LIVES = 300;

describeEachEngine('whatever is done to the tree, for long', (engine) => {
  let test: Awaited<ReturnType<typeof createTestKernel>>;

  beforeAll(async () => {
    test = await createTestKernel(engine);
    await prepare(test.kernel);
  });
  afterAll(() => test?.close());

  it('a very long random life of a tree leaves it whole', { timeout: HOUR }, async () => {
    const property = fc.asyncProperty(lifeOf({ maxLength: 60 }), (steps) => live(test.kernel, steps));
    await fc.assert(property, { numRuns: LIVES });
  });
});
