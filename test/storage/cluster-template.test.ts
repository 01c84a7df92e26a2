import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpackTemplate } from '../../src/database/pglite/cluster.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'canopy-template-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Files of sizes around those of the blocks of an archive, and one that is larger than the pieces of a stream. */
const SIZES = [0, 1, 511, 512, 513, 1024, 300_000];

async function makeArchive(): Promise<string> {
  await mkdir(join(dir, 'from', 'base', 'empty'), { recursive: true });
  for (const size of SIZES)
    await writeFile(
      join(dir, 'from', 'base', `${size}`),
      Buffer.alloc(size).map((_, index) => index * 7),
    );
  const archive = join(dir, 'archive.tar.gz');
  execFileSync('tar', ['--format=ustar', '-czf', archive, '-C', join(dir, 'from'), 'base']);
  return archive;
}

test('an archive is unpacked byte by byte, with its folders', async () => {
  await unpackTemplate(await makeArchive(), join(dir, 'to'));
  expect((await stat(join(dir, 'to', 'base', 'empty'))).isDirectory()).toBe(true);
  expect((await readdir(join(dir, 'to', 'base'))).sort()).toEqual([...SIZES.map(String), 'empty'].sort());
  for (const size of SIZES) {
    const [made, kept] = await Promise.all(['to', 'from'].map((side) => readFile(join(dir, side, 'base', `${size}`))));
    expect(kept?.equals(made ?? Buffer.from('missing'))).toBe(true);
  }
});

test('an archive that was cut off is refused', async () => {
  const archive = await makeArchive();
  const whole = await readFile(archive);
  await writeFile(archive, whole.subarray(0, whole.length / 2));
  await expect(unpackTemplate(archive, join(dir, 'to'))).rejects.toThrow(/unexpected end of file|not complete/);
});
