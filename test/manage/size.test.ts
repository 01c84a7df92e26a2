import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';

const FOLDER = join(packageFolder('.'), 'dist/manage');
/** Compressed bytes of the page altogether, and of what the first view loads. */
const MAX_BYTES = 300_000;
const MAX_FIRST_BYTES = 120_000;

type Chunk = { file: string; css?: string[]; imports?: string[]; isDynamicEntry?: boolean };

const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(FOLDER, 'manifest.json'), 'utf8'));
const sizeOf = (file: string): number => gzipSync(readFileSync(join(FOLDER, file)), { level: 9 }).length;

/** The files of a chunk and of all that it imports at once. */
function filesOf(key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
  for (const next of chunk.imports ?? []) filesOf(next, seen);
  return seen;
}

const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + sizeOf(file), 0);

describe('the size of the page for those who run a site', () => {
  it('all of it has at most 300 kB, compressed with gzip', () => {
    const files = readdirSync(join(FOLDER, 'assets')).filter((name) => /\.(?:js|css)$/.test(name));
    expect(sum(files.map((name) => `assets/${name}`))).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('the first view with the largest language has at most 120 kB', () => {
    const languages = Object.entries(manifest).filter(([key]) => key.includes('catalogue:'));
    expect(languages).toHaveLength(7);
    const largest = Math.max(...languages.map(([, { file }]) => sizeOf(file)));
    const first = filesOf('src/pages/start.tsx', filesOf('src/main.tsx'));
    expect(sum(first) + largest).toBeLessThanOrEqual(MAX_FIRST_BYTES);
  });
});
