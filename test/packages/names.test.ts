import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Files from which a person or a program takes the name of a package. */
const READ = /\.(?:md|tsx?|[mc]?js|mts|json|ya?ml|po|astro|sh|service)$|^\.ci\/run$|Dockerfile$/;
const LEFT_OUT = /(?:^|\/)package-lock\.json$|^test\/packages\/names\.test\.ts$/;

/** Ways to name the package "canopy", which on the registry is another program (a parser compiler). Each has a line as it would stand. */
const WAYS: [what: string, pattern: RegExp, example: string, files?: RegExp][] = [
  [
    'command that npx gets from the registry',
    /\b(?:npx|npm exec|npm x|pnpm dlx|pnpx|bunx|yarn dlx)\s+(?:-\S+\s+)*canopy(?![\w-])/,
    'Run `npx -y canopy start`.',
  ],
  ['import', /(?:\bfrom|\bimport\(|\brequire\(|^import)\s*(['"])canopy(?:\/[\w-]+)?\1/, `} from 'canopy/testing';`],
  [
    'installation',
    /\bnpm (?:install|i|add|create|init)\s+(?:[\w@./:-]+\s+)*?canopy(?![\w/.-])/,
    'npm install --save canopy',
  ],
  [
    'dependency',
    /^\s*"canopy":\s*"(?:[\^~]?\d|file:|\*|latest|workspace:)/,
    '    "canopy": "0.1.0",',
    /(?:^|\/)package\.json$/,
  ],
];

const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => READ.test(path) && !LEFT_OUT.test(path));

it.each(WAYS)('no file names the package "canopy" as a %s', (_what, pattern, example, files = READ) => {
  expect(example).toMatch(pattern);
  const read = tracked.filter((path) => files.test(path));
  expect(read).not.toEqual([]);
  const found = read.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
