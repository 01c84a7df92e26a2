#!/usr/bin/env node
// Nothing else is imported before the check: an older Node would fail in a file that it does not understand.
import { nodeProblem } from '../packages/create-canopy-server/src/node-problem.ts';

const problem = nodeProblem('canopy', process.version);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
} else {
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
