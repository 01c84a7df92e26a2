#!/usr/bin/env node
// Nothing else of the program is imported before the check: an older Node would fail in a file that it does not understand.
import * as modules from 'node:module';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from '../packages/create-canopy-server/src/node-problem.ts';

/**
 * Lets Node keep the compiled code beside the program, for the next start. Node 22 and newer can; where the folder cannot be written, nothing is kept.
 * It is as trustworthy as the program: who can write there can change the program itself.
 */
function keepCompiledCode(): void {
  if (!('enableCompileCache' in modules) || typeof modules.enableCompileCache !== 'function') return;
  modules.enableCompileCache(fileURLToPath(new URL('../compile-cache', import.meta.url)));
}

const problem = nodeProblem('canopy', process.version);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
} else {
  if (!import.meta.url.endsWith('.ts')) keepCompiledCode();
  // The engine of the embedded database compiles in a thread while the program is loaded.
  const isEmbedded = process.argv[2] === 'start' && process.env.DATABASE_URL === undefined;
  const engine = isEmbedded ? import('../src/database/pglite/engine-code.ts') : Promise.resolve(undefined);
  engine
    .then((begun) => void begun?.engineCode())
    .then(() => import('../src/app/run-command.ts'))
    .then(({ runCommand }) => runCommand(process.argv.slice(2), process.env))
    .then((code) => {
      process.exitCode = code;
    });
}
