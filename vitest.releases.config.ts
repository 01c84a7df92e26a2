import config from './vitest.config.ts';

/** Stores a site of this version for the tests of later ones: `npm run store-release`. It needs Debian's package `postgresql`. */
export default { ...config, test: { ...config.test, include: ['test/releases/make.ts'], globalSetup: [] } };
