import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt } from './program.ts';

const TIMEOUT = 60_000;
const DIST = new URL('../../dist/', import.meta.url);
const STORED = fileURLToPath(new URL('engine-code', DIST));

/** Loads the stored engine with the flags of a start, and asks a database of it. Prints `missing` when nothing is loaded. */
const LOAD = `import { PGlite } from '@electric-sql/pglite';
import { engineCode, readEngine } from '${new URL('src/database/pglite/engine-code.js', DIST).href}';
import { loadEngine } from '${new URL('src/database/pglite/stored-engine.js', DIST).href}';
await engineCode();
const [folder, isOther] = process.argv.slice(1);
const text = readEngine();
const pgliteWasmModule = loadEngine(folder, isOther ? Buffer.concat([text, Buffer.of(0, 1, 0)]) : text);
if (pgliteWasmModule === undefined) console.log('missing');
else {
  const pg = await PGlite.create({ pgliteWasmModule });
  const { rows } = await pg.query('select sum(n)::integer as sum from generate_series(1, 1000) n');
  console.log(rows[0].sum);
  await pg.close();
}`;

const load = async (folder: string, ...more: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', LOAD, folder, ...more],
    { env: { PATH: process.env.PATH ?? '' } },
  );
  return stdout.trim();
};

describe.skipIf(!isBuilt())('the stored machine code of the engine', () => {
  let folder: string;
  let file: string;
  let whole: Buffer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-engine-'));
    const [name = ''] = await readdir(STORED);
    file = join(folder, name);
    whole = await readFile(join(STORED, name));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is that of a start, and runs a database', { timeout: TIMEOUT }, async () => {
    expect(await load(STORED)).toBe('500500');
  });

  it('is not taken where it is broken', { timeout: TIMEOUT }, async () => {
    await writeFile(file, whole.subarray(0, 1_000_000));
    expect(await load(folder)).toBe('missing');
    await writeFile(file, Buffer.concat([whole.subarray(0, whole.length - 4096), Buffer.alloc(4096)]));
    expect(await load(folder)).toBe('missing');
  });

  it('is not taken for another engine', { timeout: TIMEOUT }, async () => {
    await writeFile(file, whole);
    expect(await load(folder)).toBe('500500');
    expect(await load(folder, 'other')).toBe('missing');
  });
});
