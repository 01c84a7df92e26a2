import { afterAll, beforeAll } from 'vitest';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { CountingDatabase } from './counting-database.ts';
import type { Engine } from './engines.ts';
import { createTestKernel } from './site.ts';

/** A kernel for all tests of a suite, with a function that returns the SQL statements of some work. */
export function useCountedKernel(engine: Engine): {
  readonly kernel: Kernel;
  during(work: () => Promise<unknown>): Promise<string[]>;
} {
  let test: Awaited<ReturnType<typeof createTestKernel>>;
  let database: CountingDatabase;
  beforeAll(async () => {
    test = await createTestKernel(engine, {
      wrap: (db) => {
        database = new CountingDatabase(db);
        return database;
      },
    });
  });
  afterAll(() => test?.close());
  return {
    get kernel() {
      return test.kernel;
    },
    during: (work) => database.during(work),
  };
}
