import { defineConfig } from 'vitest/config';

/** Tests that replace a module or register something for the whole process: each needs modules of its own. */
const ISOLATED = [
  'test/auth/login.test.ts',
  'test/search/search.test.ts',
  'test/search/declared-indexes.test.ts',
  'test/site/health.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      // Loading the server anew for each file would cost more than half of the time.
      { extends: true, test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: ISOLATED, isolate: false } },
    ],
  },
});
