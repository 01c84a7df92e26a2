#!/usr/bin/env node
// Nothing else of the program is imported before the check: an older Node would fail in a file that it does not understand.
import { nodeProblem } from '../packages/create-canopy-server/src/node-problem.ts';

/**
 * Lets Node keep the compiled code beside the program, for the next start. Node 22 and newer can; where the folder cannot be written, nothing is kept.
 * It is as trustworthy as the program: who can write there can change the program itself.
 */
const keepCompiledCode = (): Promise<void> =>
  Promise.all([import('node:module'), import('node:url')]).then(([modules, { fileURLToPath }]) => {
    if ('enableCompileCache' in modules && typeof modules.enableCompileCache === 'function')
      modules.enableCompileCache(fileURLToPath(new URL('../compile-cache', import.meta.url)));
  });

const problem = nodeProblem('canopy', process.version);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
} else {
  const isBuilt = !import.meta.url.endsWith('.ts');
  // The engine of the embedded database compiles in a thread while the program is loaded.
  const isEmbedded = process.argv[2] === 'start' && process.env.DATABASE_URL === undefined;
  Promise.resolve(isBuilt ? keepCompiledCode() : undefined)
    .then(() => (isEmbedded ? import('../src/database/pglite/engine-code.ts') : undefined))
    .then((engine) => {
      if (engine) engine.engineCode();
    })
    .then(() => import('../src/app/run-command.ts'))
    .then(({ runCommand }) => runCommand(process.argv.slice(2), process.env))
    .then((code) => {
      process.exitCode = code;
    });
}
