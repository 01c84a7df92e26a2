/** A front end that a project can have. */
export type FrontEnd = {
  title: string;
  /** The address of its server on this machine. */
  address: string;
  /** The script of its package.json that starts it for development. */
  script: 'start' | 'dev';
  /** Seconds and memory that the first start takes, for people. */
  patience: string;
  /** Settings of Canopy for the front end, in the configuration file. */
  settings: Readonly<Record<string, string>>;
  /** The setting of its server for the address of Canopy. */
  apiSetting: string;
  /** The file in its folder with the types of the site, which `npm run types` writes; absent for a front end without types. */
  types?: string;
  /** Files of the example that are not copied. */
  leftOut: readonly string[];
  /** Folders that the front end writes, for .gitignore. */
  written: readonly string[];
};

const FROM_EVERY_EXAMPLE = ['node_modules', 'README.md'];

/** The front ends, by their names for `--front-end`, which are also the names of the example folders. */
export const FRONT_ENDS: Readonly<Record<string, FrontEnd>> = {
  volto: {
    title: 'Volto',
    address: 'http://localhost:3000',
    script: 'start',
    patience: 'The first start builds Volto, which takes some minutes and 4 GB of memory.',
    settings: { PROFILE: 'plone', TRUST_PROXY: 'loopback', FRONTEND_URL: 'http://localhost:3000' },
    apiSetting: 'API_URL',
    leftOut: [...FROM_EVERY_EXAMPLE, 'canopy.mjs', 'compose.yaml', 'volto', 'data'],
    written: ['front-end/volto/'],
  },
  astro: {
    title: 'Astro',
    address: 'http://localhost:4321',
    script: 'dev',
    patience: '',
    settings: { FRONTEND_URL: 'http://localhost:4321' },
    apiSetting: 'CANOPY_URL',
    types: 'src/lib/canopy-types.ts',
    leftOut: [...FROM_EVERY_EXAMPLE, 'dist', '.astro', 'package-lock.json'],
    written: ['front-end/.astro/'],
  },
  next: {
    title: 'Next.js',
    address: 'http://localhost:3000',
    script: 'dev',
    patience: '',
    settings: { FRONTEND_URL: 'http://localhost:3000' },
    apiSetting: 'CANOPY_URL',
    types: 'lib/canopy-types.ts',
    leftOut: [...FROM_EVERY_EXAMPLE, '.next', 'next-env.d.ts', 'package-lock.json'],
    written: ['front-end/.next/', 'front-end/next-env.d.ts'],
  },
};

/** The name for no front end, or no add-on. */
export const NONE = 'none';
