#!/usr/bin/env node
// Nothing else is imported before the check: an older Node would fail in a file that it does not understand.
import { nodeProblem } from '../src/node-problem.ts';

const problem = nodeProblem('create-canopy-server', process.version);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
} else {
  import('../src/run.ts')
    .then(({ run }) => run(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    });
}
