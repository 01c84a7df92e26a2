import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt, Program } from './program.ts';

const ONE_LINE = /^canopy: [^\n]+\n$/;
const TIMEOUT = 120_000;

describe.skipIf(!isBuilt())('the built program', () => {
  let folder: string;
  let dataDir: string;
  const running: Program[] = [];

  const run = (args: string[], settings: Record<string, string> = {}): Program => {
    const program = new Program(args, { DATA_DIR: dataDir, ...settings });
    running.push(program);
    return program;
  };

  const login = (url: string, password: string | undefined) =>
    fetch(`${url}/@login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ login: 'admin', password }),
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-start-'));
    dataDir = join(folder, 'data');
  });
  afterEach(async () => {
    for (const program of running.splice(0)) {
      if (program.process.exitCode === null) program.process.kill('SIGKILL');
      await program.ended();
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('the first start prints the address and a password that works; a second process on the folder is refused', {
    timeout: TIMEOUT,
  }, async () => {
    const first = run(['start']);
    const url = await first.address();
    expect((await fetch(url)).status).toBe(200);
    expect((await login(url, first.password())).status).toBe(200);
    expect((await login(url, 'admin')).status).toBe(401);

    const second = run(['start']);
    expect(await second.ended()).toBe(1);
    expect(second.stdout).toBe('');
    expect(second.stderr).toMatch(ONE_LINE);
    expect(second.stderr).toContain(
      `DATA_DIR ${dataDir} is in use by another Canopy process (pid ${first.process.pid})`,
    );

    expect((await fetch(url)).status).toBe(200);
    expect(await first.stop()).toBe(0);
    expect(first.stdout.match(/The password of admin is/g)).toHaveLength(1);
    expect(first.stdout).toMatch(/^Or choose one in a browser, within a day: \S+\/@manage\/welcome#[\w-]{20,}$/m);
  });

  /** Sends a login without the end of its body, and SIGTERM before the rest. */
  async function stopDuringLogin(program: Program, url: string) {
    const body = JSON.stringify({ login: 'admin', password: 'wrong' });
    const slow = request(`${url}/@login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
    });
    slow.write(body.slice(0, 5));
    await once(slow, 'socket');
    await new Promise((resolve) => setTimeout(resolve, 200));
    program.process.kill('SIGTERM');
    await expect
      .poll(
        () =>
          fetch(url).then(
            () => 'served',
            () => 'refused',
          ),
        { timeout: 5_000 },
      )
      .toBe('refused');
    expect(program.process.exitCode).toBeNull();
    return { slow, rest: body.slice(5) };
  }

  it('the second start prints no password, and SIGTERM waits for the request under way', {
    timeout: TIMEOUT,
  }, async () => {
    const program = run(['start']);
    const url = await program.address();
    const { slow, rest } = await stopDuringLogin(program, url);
    const answered = once(slow, 'response');
    slow.end(rest);
    const [response] = await answered;
    expect(response.statusCode).toBe(401);
    response.resume();
    expect(await program.ended()).toBe(0);
    expect(program.stdout).toBe(`Canopy serves ${url}\nIt is managed in a browser at ${url}/@manage\n`);
    expect(program.stderr).toBe('');
  });

  it('SIGTERM does not wait for ever for a client that never ends its request', { timeout: TIMEOUT }, async () => {
    const program = run(['start']);
    const { slow } = await stopDuringLogin(program, await program.address());
    const cut = once(slow, 'error');
    expect(await program.ended()).toBe(0);
    await cut;
    expect(program.stderr).toContain('requests were cut off');
    expect(program.stderr).not.toContain('"level":50');
  });

  it('collect-blobs tells what nothing refers to', { timeout: TIMEOUT }, async () => {
    const program = run(['collect-blobs', '--dry-run']);
    expect(await program.ended()).toBe(0);
    expect(program.stdout).toBe(
      [
        'Dry run: nothing is changed.',
        'Set aside, as nothing refers to them: 0 files, 0 bytes',
        'Removed, as they were set aside before: 0 files, 0 bytes',
        'Taken back, as something refers to them again: 0 files, 0 bytes',
        '',
      ].join('\n'),
    );
  });

  it('a port that is taken is one line, and the password of the new site is not lost with it', {
    timeout: TIMEOUT,
  }, async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    dataDir = join(folder, 'other');
    const program = run(['start'], { PORT: String(port) });
    expect(await program.ended()).toBe(1);
    other.close();
    expect(program.stderr).toMatch(ONE_LINE);
    expect(program.stderr).toContain(String(port));
    expect(program.password()).toMatch(/^\S{12,}$/);
  });

  it.each([
    [['frobnicate'], 'Unknown command: frobnicate'],
    [['start', 'now'], '"now" is too much. Usage: canopy start.'],
    [['start', '--frobnicate'], '--frobnicate'],
  ])('canopy %s is not understood: one line and exit code 2', async (args, message) => {
    dataDir = join(folder, 'unused');
    const program = run(args);
    expect(await program.ended()).toBe(2);
    expect(program.stderr).toMatch(ONE_LINE);
    expect(program.stderr).toContain(message);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('without a command it prints its usage and fails, with --help it does not fail', async () => {
    const bare = run([]);
    const help = run(['--help']);
    expect([await bare.ended(), await help.ended()]).toEqual([2, 0]);
    expect(bare.stdout).toBe(help.stdout);
    expect(help.stdout).toContain('canopy start');
  });

  it.each([
    [{ DATABSE_URL: 'postgres://db/site' }, 'did you mean DATABASE_URL?'],
    [{ DATABASE_URL: 'postgres://127.0.0.1:1/site' }, 'Cannot connect to PostgreSQL'],
  ])('the settings %j are one line and exit code 1', { timeout: TIMEOUT }, async (settings, message) => {
    dataDir = join(folder, 'wrong');
    const program = run(['start'], settings);
    expect(await program.ended()).toBe(1);
    expect(program.stdout).toBe('');
    expect(program.stderr).toMatch(ONE_LINE);
    expect(program.stderr).toContain(message);
  });
});
