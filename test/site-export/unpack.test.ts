import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ZipFile } from 'yazl';
import { removeLeftOvers } from '../../src/features/site-export/restore/private-folder.ts';
import { unpack } from '../../src/features/site-export/restore/unpack.ts';
import { isBuilt } from '../start/program.ts';

const MODULE = new URL('../../dist/src/features/site-export/restore/private-folder.js', import.meta.url).href;

describe('an archive of an export', () => {
  let folder: string;
  let temporary: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-unpack-test-'));
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    temporary = await mkdtemp(join(folder, 'tmp-'));
    vi.stubEnv('TMPDIR', temporary);
  });

  async function archive(name: string, files: Record<string, Readable | Buffer>): Promise<string> {
    const zip = new ZipFile();
    for (const [path, content] of Object.entries(files))
      if (Buffer.isBuffer(content)) zip.addBuffer(content, path);
      else zip.addReadStream(content, path);
    zip.end();
    const place = join(folder, name);
    await pipeline(Readable.from(zip.outputStream), createWriteStream(place));
    return place;
  }

  it('lies in a folder that nobody else may read, until it is removed', async () => {
    const made = await unpack(await archive('a.zip', { 'content/a.json': Buffer.from('{}') }));
    expect(await readFile(join(made.folder, 'content/a.json'), 'utf8')).toBe('{}');
    for (const place of [made.folder, join(made.folder, '..')]) expect((await stat(place)).mode & 0o777).toBe(0o700);
    await removeLeftOvers(Date.now() + 600_000);
    expect(existsSync(made.folder)).toBe(true);
    await made.remove();
    expect(await readdir(temporary)).toEqual([]);
  });

  it('is refused when it would become a hundred times its size and more than a gigabyte, and nothing is left', async () => {
    const block = Buffer.alloc(1024 ** 2);
    const zeros = Readable.from(
      (function* () {
        for (let index = 0; index < 1100; index += 1) yield block;
      })(),
    );
    await expect(unpack(await archive('bomb.zip', { 'big.json': zeros }))).rejects.toThrow(
      /would become 1\.2 GB, more than 100 times its size/,
    );
    expect(await readdir(temporary)).toEqual([]);
  }, 120_000);

  it('is refused when a file has more bytes than it declares, and nothing is left', async () => {
    const place = await archive('lie.zip', { 'a.json': Buffer.alloc(100_000, 'x') });
    const bytes = await readFile(place);
    // The size before compression, in the directory at the end of the archive.
    bytes.writeUInt32LE(10, bytes.indexOf(Buffer.from('PK\u0001\u0002', 'latin1')) + 24);
    await writeFile(place, bytes);
    await expect(unpack(place)).rejects.toThrow(/cannot be unpacked/);
    expect(await readdir(temporary)).toEqual([]);
  });

  it.skipIf(!isBuilt()).each(['SIGINT', 'SIGTERM'] as const)(
    'is gone after %s, and the process ends by that signal',
    async (signal) => {
      const script = `const { makePrivateFolder } = await import(${JSON.stringify(MODULE)});
      const { folder } = await makePrivateFolder(); console.log(folder); setInterval(() => {}, 1000);`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, TMPDIR: temporary },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [made] = await once(child.stdout, 'data');
      expect(existsSync(String(made).trim())).toBe(true);
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([null, signal]);
      expect(await readdir(temporary)).toEqual([]);
    },
  );

  it('that a killed process has left is removed later; a young one and what is something else stay', async () => {
    const old = new Date(Date.now() - 3_600_000);
    for (const name of ['canopy-unpacked-old', 'canopy-unpacked-new', 'other'])
      await mkdir(join(temporary, name, 'export'), { recursive: true });
    await utimes(join(temporary, 'canopy-unpacked-old'), old, old);
    await utimes(join(temporary, 'other'), old, old);
    await removeLeftOvers();
    expect((await readdir(temporary)).sort()).toEqual(['canopy-unpacked-new', 'other']);
  });
});
