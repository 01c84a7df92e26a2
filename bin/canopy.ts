#!/usr/bin/env node
// Nothing else of the program is imported before the check: an older Node would fail in a file that it does not understand.
import { nodeProblem } from '../packages/create-canopy-server/src/node-problem.ts';

/**
 * Has the program, and the embedded engine if its folder is given, loaded with code that an earlier process compiled, from `dist/compile-cache` or the
 * folder of `NODE_COMPILE_CACHE`. Node 22 and newer keep it by themselves; before, `start` does. Where the folder cannot be written, nothing is kept. It
 * is as trustworthy as the program: who can write there can change the program itself. Source maps are only for files that Node loads.
 */
const loadCompiled = (engine: string | undefined): Promise<void> =>
  Promise.all([import('node:module'), import('node:url'), import('../src/lib/process/compiled-code.ts')]).then(
    ([modules, { fileURLToPath }, { useCompiledCode }]) => {
      const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env;
      const beside = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
      if ('enableCompileCache' in modules && typeof modules.enableCompileCache === 'function')
        modules.enableCompileCache(beside('compile-cache'));
      else if (!NODE_DISABLE_COMPILE_CACHE && !process.sourceMapsEnabled)
        useCompiledCode({
          program: beside('bundle/app'),
          packages: engine === undefined ? [] : [engine],
          importer: beside('bundle/import.js'),
          cache: NODE_COMPILE_CACHE || beside('compile-cache'),
        });
    },
  );

const problem = nodeProblem('canopy', process.version);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
} else {
  const isBuilt = !import.meta.url.endsWith('.ts');
  // The engine of the embedded database compiles in a thread while the program is loaded.
  const isEmbedded = process.argv[2] === 'start' && process.env.DATABASE_URL === undefined;
  Promise.resolve(isEmbedded ? import('../src/database/pglite/engine-code.ts') : undefined)
    .then((engine) => {
      if (!engine) return undefined;
      engine.engineCode();
      return engine.engineFolder();
    })
    // After the flags of the engine: code is kept for the flags with which it was compiled.
    .then((engine) => (isBuilt ? loadCompiled(engine) : undefined))
    .then(() => import('../src/app/run-command.ts'))
    .then(({ runCommand }) => runCommand(process.argv.slice(2), process.env))
    .then((code) => {
      process.exitCode = code;
    });
}
