import { defineConfig } from 'vitest/config';

/** `#core` and `#lib` are read from `src`, as the tests do. */
const conditions = ['source', 'module', 'node', 'development|production'];

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Without isolation the server is loaded once, not for each file, which saves more than half of the time. No test replaces
    // a module.
    isolate: false,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
  },
});
