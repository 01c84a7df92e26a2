import { defineConfig } from 'vitest/config';
import common from './vitest.config.ts';

/** Tests that need a large site: `npm run test:slow`. */
export default defineConfig({
  resolve: common.resolve,
  test: {
    include: ['test/**/*.slow.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
});
