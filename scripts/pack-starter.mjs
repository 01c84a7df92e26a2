// What npm runs before it packs create-canopy-server, and with --clean afterwards: it puts the compiled program and the templates, which
// are examples of this repository, into the folder of the package.
import { cpSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildIfStale } from './lib/build.mjs';
import { ROOT } from './lib/root.mjs';

const PACKAGE = join(ROOT, 'packages/create-canopy-server');
const TEMPLATES = ['addon', 'astro', 'next', 'volto'];
/** Files and folders that installing, building and running leave in the folder of an example. */
const NOT_PACKED = ['node_modules', 'dist', '.astro', '.next', 'next-env.d.ts', 'data', 'tsconfig.tsbuildinfo'];

const isPacked = (path) => !NOT_PACKED.includes(basename(path)) && !path.endsWith(join('examples', 'volto', 'volto'));

for (const name of ['dist', 'templates']) rmSync(join(PACKAGE, name), { recursive: true, force: true });
if (!process.argv.includes('--clean')) {
  buildIfStale();
  const isProgram = (path) => !path.endsWith('.map') && !path.endsWith('.d.ts');
  for (const name of ['bin', 'src'])
    cpSync(join(ROOT, 'dist/packages/create-canopy-server', name), join(PACKAGE, 'dist', name), {
      recursive: true,
      filter: isProgram,
    });
  for (const name of TEMPLATES)
    cpSync(join(ROOT, 'examples', name), join(PACKAGE, 'templates', name), { recursive: true, filter: isPacked });
  // npm packs no .npmrc.
  renameSync(join(PACKAGE, 'templates/volto/.npmrc'), join(PACKAGE, 'templates/volto/npmrc'));
}
