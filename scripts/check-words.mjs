// Checks the English of comments, test titles, documents and messages: npm run lint. `--list` shows what scripts/words.json still allows.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/root.mjs';
import { findSentences } from './lib/sentences.mjs';

/** How many findings of each rule are left from before the check. A number may fall, never rise. */
const LEFT = join(ROOT, 'scripts/words.json');

/** Patterns that have to be read twice (CONTRIBUTING.md, "English"), by what to write instead. */
const RULES = [
  { name: 'docstring begins with What or Whether', kinds: ['comment'], pattern: /^\*[\s*]*(?:What|Whether)\b/ },
  { name: '"is none": write "no …"', pattern: /\b(?:is|are) none\b/ },
  { name: '"told": name who says it, or the error', pattern: /\btold\b/ },
  { name: '"whoever": name the role', pattern: /\bwhoever\b/i },
  { name: '"nobody who": write "no … that"', pattern: /\bnobody who\b/i },
  { name: '"of it that": name the part', pattern: /\bof it that\b/ },
  { name: '"as they are to be": write "unchanged"', pattern: /\bas (?:they are|it is) to be\b/ },
];

const { values: options } = parseArgs({ options: { list: { type: 'boolean' }, update: { type: 'boolean' } } });
const files = spawnSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.sql', '*.md', 'locales/canopy.pot'], {
  cwd: ROOT,
  encoding: 'utf8',
}).stdout.split('\n');
const sentences = files
  .filter((path) => path !== '' && path !== 'scripts/check-words.mjs' && !path.endsWith('/canopy-types.ts'))
  .flatMap((path) => findSentences(path, readFileSync(join(ROOT, path), 'utf8')));
const found = Object.fromEntries(
  RULES.map(({ name, kinds, pattern }) => [
    name,
    sentences.filter(({ kind, text }) => (kinds?.includes(kind) ?? true) && pattern.test(text)),
  ]),
);
const counts = Object.fromEntries(Object.entries(found).map(([name, places]) => [name, places.length]));
if (options.update) writeFileSync(LEFT, `${JSON.stringify(counts, null, 2)}\n`);
const left = JSON.parse(readFileSync(LEFT, 'utf8'));
let isWorse = false;
for (const [name, places] of Object.entries(found)) {
  const allowed = left[name] ?? 0;
  if (places.length > allowed) isWorse = true;
  if (places.length > allowed || options.list) {
    console.log(`${name}: ${places.length}, ${allowed} allowed`);
    for (const { path, line, text } of places)
      console.log(`  ${path}:${line}: ${text.trim().split('\n')[0].slice(0, 120)}`);
  } else if (places.length < allowed)
    console.log(`${name}: ${places.length} instead of ${allowed}: run node scripts/check-words.mjs --update`);
}
process.exitCode = isWorse ? 1 : 0;
