import { defineConfig, mergeConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** The areas whose tests ask the site what its types are called, so that they run in the profile `plone` as well. */
const AREAS = [
  ...['access-tokens', 'audit-log', 'content-rules', 'history', 'publishing', 'recyclebin', 'search', 'setup'],
  ...['site-export', 'transactions', 'translations', 'two-factor', 'workflow', 'workingcopy'],
];

/** The same tests on sites of another profile: `npm run test:plone`. */
const inPlone = mergeConfig(usual, defineConfig({ test: { env: { TEST_PROFILE: 'plone' } } }));
inPlone.test.include = [...AREAS.map((area) => `test/${area}/*.test.ts`), 'test/people/{sharing,users}.test.ts'];

export default inPlone;
