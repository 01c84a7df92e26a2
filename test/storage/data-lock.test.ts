import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireDataLock } from '../../src/database/pglite/data-lock.ts';

/** A process that takes the lock as a server does, prints whether it got it, and keeps running. */
const HOLDER = `
  const { openSync, writeFileSync } = require('node:fs');
  const { tryLock } = require(process.argv[1]);
  const got = tryLock(openSync(process.argv[2] + '/canopy.lock', 'a'));
  if (got) writeFileSync(process.argv[2] + '/canopy.pid', process.pid + ' ' + process.argv[3]);
  console.log(got);
  setInterval(() => {}, 1000);`;

let folder: string;
const children: ChildProcess[] = [];

async function startHolder(host = hostname()): Promise<{ child: ChildProcess; got: boolean }> {
  const library = createRequire(import.meta.url).resolve('fs-native-extensions');
  const child = spawn(process.execPath, ['-e', HOLDER, library, folder, host], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [output]: unknown[] = await once(child.stdout, 'data');
  return { child, got: String(output).trim() === 'true' };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'canopy-lock-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  await rm(folder, { recursive: true, force: true });
});

test('the lock rejects a folder that another process holds, and names the folder and the process', async () => {
  const { child } = await startHolder();
  await expect(acquireDataLock(folder)).rejects.toThrow(
    `DATA_DIR ${folder} is in use by another Canopy process (pid ${child.pid}). Stop it first, or use another DATA_DIR or DATABASE_URL.`,
  );
});

test('the message names the host when the holder runs on another one, such as a container', async () => {
  const { child } = await startHolder('elsewhere');
  await expect(acquireDataLock(folder)).rejects.toThrow(`(pid ${child.pid} on elsewhere)`);
});

test('the folder of a killed process can be locked at once', async () => {
  const { child } = await startHolder();
  await kill(child);
  const lock = await acquireDataLock(folder);
  await lock.release();
});

test('a lock keeps other processes out until it is released', async () => {
  const lock = await acquireDataLock(folder);
  expect((await startHolder()).got).toBe(false);
  await expect(acquireDataLock(folder)).rejects.toThrow(`(pid ${process.pid})`);
  await lock.release();
  expect((await startHolder()).got).toBe(true);
});

test('the id of a running process that holds nothing does not count as a lock', async () => {
  await writeFile(join(folder, 'canopy.pid'), `${process.pid} ${hostname()}`);
  await writeFile(join(folder, 'canopy.lock'), '');
  const lock = await acquireDataLock(folder);
  await lock.release();
});

test('releasing a lock several times releases it once', async () => {
  const first = await acquireDataLock(folder);
  await first.release();
  const second = await acquireDataLock(folder);
  await first.release();
  expect((await startHolder()).got).toBe(false);
  await second.release();
});

test('a missing folder is created', async () => {
  const lock = await acquireDataLock(join(folder, 'a', 'b'));
  await lock.release();
});

test('a folder that cannot be created is reported in one line', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await chmod(file, 0o600);
  await expect(acquireDataLock(join(file, 'data'))).rejects.toThrow(/^DATA_DIR .* cannot be written: .*$/);
});
