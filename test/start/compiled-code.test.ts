import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import Module from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isBuilt, Program } from './program.ts';

const TIMEOUT = 120_000;
/** Milliseconds between two looks at the folder. */
const PAUSE = 50;

const GREETER = `import { BadRequest, defineFeature, defineService } from 'canopy-server';
const greet = defineService({ name: '@greet', method: 'GET', context: 'site', permission: null, summary: 'Greets.',
  responses: { 200: { description: 'The word.' } },
  run: async () => { throw new BadRequest('the same class'); } });
export default { features: [defineFeature({ name: 'greeter', services: [greet] })] };\n`;

// Node 22 and newer keep compiled code by themselves.
describe.skipIf(!isBuilt() || 'enableCompileCache' in Module)('compiled code', () => {
  let folder: string;
  let cache: string;
  let count = 0;
  const running: Program[] = [];

  const start = (settings: Record<string, string> = {}): Program => {
    const program = new Program(['start'], {
      DATA_DIR: join(folder, 'data'),
      NODE_COMPILE_CACHE: cache,
      ADMIN_PASSWORD: 'correct horse',
      ...settings,
    });
    running.push(program);
    return program;
  };

  /** The files of compiled code, by their paths, with their times. */
  async function keptFiles(): Promise<Map<string, number>> {
    const names = await readdir(cache, { recursive: true }).catch(() => []);
    const files = names.filter((name) => /\.c?js$/.test(name)).map((name) => join(cache, name));
    return new Map(await Promise.all(files.map(async (file) => [file, (await stat(file)).mtimeMs] as const)));
  }

  const programFile = (files: Map<string, number>): string => {
    const file = [...files.keys()].find((path) => path.includes('program-'));
    if (file === undefined) throw new Error('There is no code of the program');
    return file;
  };

  /** Starts the program, asks for the site, waits until the code of the program is there as `isKept` wants it, and ends it. */
  async function startUntil(isKept: (files: Map<string, number>) => Promise<boolean> | boolean): Promise<Program> {
    const program = start();
    expect((await fetch(await program.address())).status).toBe(200);
    while (!(await isKept(await keptFiles()))) await new Promise((resolve) => setTimeout(resolve, PAUSE));
    expect(await program.stop()).toBe(0);
    expect(program.stderr).not.toContain('Warning');
    return program;
  }

  const isWhole = (files: Map<string, number>): boolean => [...files.keys()].some((path) => path.includes('database-'));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-compiled-'));
  });
  beforeEach(() => {
    count += 1;
    cache = join(folder, `cache-${count}`);
  });
  afterEach(async () => {
    for (const program of running.splice(0)) {
      if (program.process.exitCode === null) program.process.kill('SIGKILL');
      await program.ended();
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is kept by the first start, and taken by the next', { timeout: TIMEOUT }, async () => {
    await startUntil(isWhole);
    const first = await keptFiles();
    // The engine of the embedded database, which imports modules of Node.
    expect([...first.keys()].map((file) => basename(file))).toContain('index.cjs');
    const next = start();
    expect((await fetch(await next.address())).status).toBe(200);
    // A second after its start, a process keeps new code for each file whose code V8 did not take.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(await next.stop()).toBe(0);
    expect(await keptFiles()).toEqual(first);
  });

  it('is kept by a process that ends at once', { timeout: TIMEOUT }, async () => {
    const program = start();
    await program.address();
    expect(await program.stop()).toBe(0);
    expect(programFile(await keptFiles())).toContain(cache);
  });

  it('is compiled again where a file is broken', { timeout: TIMEOUT }, async () => {
    await startUntil(isWhole);
    const file = programFile(await keptFiles());
    const whole = await readFile(file);

    await truncate(file, whole.length / 2);
    await startUntil(async () => (await stat(file)).size > whole.length / 2);

    const zeros = Buffer.concat([whole.subarray(0, whole.length / 2), Buffer.alloc(whole.length / 2)]);
    await writeFile(file, zeros);
    await startUntil(async () => !(await readFile(file)).equals(zeros));
  });

  it('is not kept where the folder cannot be written', { timeout: TIMEOUT }, async () => {
    await writeFile(cache, 'a file');
    const program = start();
    expect((await fetch(await program.address())).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await program.stop()).toBe(0);
    expect(program.stderr).not.toContain(cache);
    expect(await readFile(cache, 'utf8')).toBe('a file');
  });

  it('imports the modules of add-ons, which use the same program', { timeout: TIMEOUT }, async () => {
    await startUntil(isWhole);
    const config = join(folder, 'canopy.config.mjs');
    await writeFile(config, GREETER);
    const program = start({ CANOPY_CONFIG: config });
    const response = await fetch(`${await program.address()}/@greet`);
    // An error of another copy of the program would be none that the server knows.
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: 'the same class' });
    expect(await program.stop()).toBe(0);
  });
});
