import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { typesFileFeature } from '../../src/features/types-file/index.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { runCommandOn } from '../support/run-canopy.ts';
import { useTestSite } from '../support/use-site.ts';

/** Lines of a front end that somebody reads before it is theirs. */
const MAX_LINES = 400;
const SOURCE = /\.(?:ts|tsx|js|mjs|css|html|astro)$/;
/** Folders that programs write. */
const WRITTEN = /(?:^|\/)(?:node_modules|\.next|\.astro|dist)(?:\/|$)|(?:next-env\.d|canopy-types)\.ts$/;

const read = (path: string) => readFileSync(join(packageFolder('examples'), path), 'utf8');

describe('the front ends of examples', () => {
  it.each(['canopy.ts', 'webhook.ts', 'canopy-types.ts'])('Astro and Next.js have the same %s', (name) => {
    expect(read(`next/lib/${name}`)).toBe(read(`astro/src/lib/${name}`));
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

describeQuickestEngine('the types of the front ends', (engine) => {
  const site = useTestSite(engine);

  it('They are those of a new site: `npx vitest run test/packages/front-ends.test.ts -u` writes them.', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'canopy-types-'));
    const output = join(folder, 'canopy-types.ts');
    await runCommandOn(site.kernel, typesFileFeature.commands?.[0], { options: { output } });
    const types = await readFile(output, 'utf8');
    await rm(folder, { recursive: true });
    for (const path of ['next/lib/canopy-types.ts', 'astro/src/lib/canopy-types.ts'])
      await expect(types).toMatchFileSnapshot(join(packageFolder('examples'), path));
  });
});
