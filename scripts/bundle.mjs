// Joins the modules of the program into few files, dist/bin and dist/bundle; the build runs it after the compiler. A start that loads
// twelve hundred files takes half its time for finding, reading and linking them. Other packages are loaded as they are installed.
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './lib/root.mjs';

/** The modules that are loaded by address: the command, those that packages import, and those that run in threads and processes of their own. */
const ENTRIES = {
  'bin/canopy': 'bin/canopy.ts',
  'bundle/index': 'src/index.ts',
  'bundle/core/index': 'src/core/index.ts',
  'bundle/testing': 'src/testing.ts',
  'bundle/core/files/text/child': 'src/core/files/text/child.ts',
  'bundle/features/replace/replace-thread': 'src/features/replace/replace-thread.ts',
  'bundle/lib/text/clean-html-thread': 'src/lib/text/clean-html-thread.ts',
};

/** Packages that are joined, because each comes in many files; their licences lie beside the bundle. */
const JOINED = { typebox: 'license', jose: 'LICENSE.md', '@opentelemetry/api': 'LICENSE' };

/**
 * Says if a module is joined: the program's own, by path or as `#core` and `#lib/…`, one of the packages above, and the helpers that the bundler itself
 * brings, such as that of templates with `</script>`, which no package has.
 */
const isJoined = (name) =>
  /^[./#]|^@oxc-project\/runtime\//.test(name) ||
  Object.keys(JOINED).some((joined) => name === joined || name.startsWith(`${joined}/`));

for (const old of ['dist/bundle', 'dist/compile-cache']) rmSync(join(ROOT, old), { recursive: true, force: true });
const program = await rolldown({
  cwd: ROOT,
  input: ENTRIES,
  platform: 'node',
  external: (name) => !isJoined(name),
  resolve: { conditionNames: ['source', 'node', 'import'] },
});
await program.write({
  dir: join(ROOT, 'dist'),
  format: 'esm',
  entryFileNames: '[name].js',
  // The depth of a file is that of a module in `src/app`: addresses that are relative to one are right in both.
  chunkFileNames: 'bundle/app/[name]-[hash].js',
  comments: false,
  sourcemap: true,
});
await program.close();
for (const [name, licence] of Object.entries(JOINED))
  copyFileSync(
    join(ROOT, 'node_modules', name, licence),
    join(ROOT, 'dist/bundle', `LICENSE-${name.replace(/^@/, '').replace('/', '-')}`),
  );
