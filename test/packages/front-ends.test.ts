import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';

/** Lines of a front end that somebody reads before it is theirs. */
const MAX_LINES = 400;
const SOURCE = /\.(?:ts|tsx|js|mjs|css|html|astro)$/;
/** Folders that programs write. */
const WRITTEN = /(?:^|\/)(?:node_modules|\.next|\.astro|dist)(?:\/|$)|next-env\.d\.ts$/;

describe('the front ends of examples', () => {
  it('Astro and Next.js read Canopy by the same file', () => {
    const read = (path: string) => readFileSync(join(packageFolder('examples'), path), 'utf8');
    expect(read('next/lib/canopy.ts')).toBe(read('astro/src/lib/canopy.ts'));
  });

  it.each(['astro', 'html', 'next'])('%s has at most 400 lines of its own', (name) => {
    const folder = join(packageFolder('examples'), name);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (path) => SOURCE.test(path) && !WRITTEN.test(path),
    );
    const lines = files.map((path) => readFileSync(join(folder, path), 'utf8').trimEnd().split('\n').length);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MAX_LINES);
    expect(files.length).toBeGreaterThan(1);
  });
});
