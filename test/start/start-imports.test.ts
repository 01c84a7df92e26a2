import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ENTRY = fileURLToPath(new URL('../../src/app/run-command.ts', import.meta.url));

/** Packages that are loaded when they are needed first: large ones that most processes never need. */
const LOADED_LATER = [
  '@electric-sql/pglite',
  '@fastify/busboy',
  '@modelcontextprotocol/server',
  '@node-rs/argon2',
  '@sindresorhus/slugify',
  'any-ascii',
  'bcryptjs',
  'gettext-parser',
  'mdast-util-gfm',
  'mdast-util-to-markdown',
  'nodemailer',
  'otpauth',
  'pg',
  'prom-client',
  're2js',
  'sharp',
  'turndown',
  'unpdf',
  'yauzl',
  'yazl',
];

/** An import that is there when the program runs, of something else than types. */
const IMPORT = /^\s*(?:import|export)\b(?!\s+type\b)[^;'"]*?from\s*'([^']+)'/gm;

/** Returns the modules that the entry loads before it begins, each with a file that imports it: packages by name, our own by path. */
function loadedAtStart(): Map<string, string> {
  const loaded = new Map([[ENTRY, '']]);
  for (const file of loaded.keys()) {
    if (!file.startsWith('/') && !/^[A-Z]:/.test(file)) continue;
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const target = name.startsWith('.') ? resolve(dirname(file), name) : name;
      if (!loaded.has(target)) loaded.set(target, file);
    }
  }
  return loaded;
}

test('a start does not wait for packages that most processes never need', () => {
  const loaded = loadedAtStart();
  expect(loaded.has('fastify')).toBe(true);
  const early = LOADED_LATER.flatMap((name) =>
    [...loaded]
      .filter(([file]) => file === name || file.startsWith(`${name}/`))
      .map(([file, by]) => `${file}, imported by ${by}`),
  );
  expect(early).toEqual([]);
});
