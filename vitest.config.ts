import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const SOURCE = fileURLToPath(new URL('src/', import.meta.url));

/** `#core` and `#lib` are read from `src`. Conditions would do the same, but reach the threads that run from `dist`, too. */
const alias = [
  { find: '#core', replacement: `${SOURCE}core/index.ts` },
  { find: /^#lib\/(.*)$/, replacement: `${SOURCE}lib/$1.ts` },
  ...['client', 'markdown-reader', 'nick-export', 'plone-export', 'site-reader', 'wordpress-export'].map((name) => ({
    find: `@canopy-server/${name}`,
    replacement: fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url)),
  })),
  // The example add-on imports the package.
  { find: /^canopy(-server)?$/, replacement: `${SOURCE}index.ts` },
];

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One more than the two cores that it is meant for: workers wait for PostgreSQL and for other programs.
    maxWorkers: 3,
    // Without isolation the server is loaded once, not for each file, which saves more than half of the time. No test replaces
    // a module.
    isolate: false,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
  },
});
