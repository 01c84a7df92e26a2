// Writes docs/commands.md from the declarations of the commands: npm run commands.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './lib/build.mjs';
import { ROOT } from './lib/root.mjs';

buildIfStale();
const load = (module) => import(pathToFileURL(join(ROOT, 'dist/src', `${module}.js`)).href);
const { commandReference } = await load('app/command-line/reference');
const { commandsOf } = await load('app/run-command');
const { FEATURES } = await load('app/features');
writeFileSync(join(ROOT, 'docs/commands.md'), commandReference(commandsOf(FEATURES)));
console.log('docs/commands.md is written');
