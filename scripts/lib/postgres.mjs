import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { onEnd } from './cleanup.mjs';
import { freePort } from './free-port.mjs';
import { stopChild } from './stop-child.mjs';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';
const START_TIMEOUT = 30_000;

/** Directory of the programs of Debian's newest PostgreSQL, or undefined when it is not installed. */
export function postgresPrograms() {
  if (!existsSync(DEBIAN)) return undefined;
  return readdirSync(DEBIAN)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

/** PostgreSQL refuses to run as root: root runs it as the user `postgres` that the package made. */
export function account() {
  if (process.getuid() !== 0) return {};
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function query(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

async function waitFor(url, child, output) {
  const end = Date.now() + START_TIMEOUT;
  for (;;) {
    try {
      return await query(url, 'select 1');
    } catch (error) {
      if (child.exitCode !== null || Date.now() > end) {
        throw new Error(`PostgreSQL did not start:\n${output()}`, { cause: error });
      }
      await sleep(100);
    }
  }
}

/**
 * Starts a cluster in a folder, which is made when it holds no cluster yet. With `durable` a commit survives a power cut. Returns its
 * address, the process, and `stop()`.
 */
export async function startClusterIn(dir, { durable }) {
  const bin = postgresPrograms();
  if (bin === undefined) {
    throw new Error(
      'PostgreSQL is not installed. Install it (Debian: apt-get install postgresql) or set TEST_DATABASE_URL.',
    );
  }
  const user = account();
  if (user.uid !== undefined) await chown(dir, user.uid, user.gid);
  const data = join(dir, 'data');
  if (!existsSync(data))
    await run(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
      { ...user, cwd: dir },
    );
  const port = await freePort();
  const safety = durable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-k', dir, '-c', 'listen_addresses=127.0.0.1', ...safety],
    { ...user, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output = (output + text).slice(-16_384);
  });
  // SIGINT is PostgreSQL's fast shutdown: it does not wait for clients to leave.
  const stop = onEnd(() => stopChild(child, 'SIGINT'));
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  await waitFor(url, child, () => output);
  return { url, pid: child.pid, stop };
}

/** Starts a cluster in a new directory, which is removed when this process ends; returns its address. */
async function startCluster({ durable }) {
  const dir = await mkdtemp(join(tmpdir(), 'canopy-pg-'));
  onEnd(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  return (await startClusterIn(dir, { durable })).url;
}

/**
 * A PostgreSQL server to make databases on: the one of TEST_DATABASE_URL, else a throw-away
 * cluster. With `durable` a commit survives a power cut, as in production, for realistic figures.
 */
export async function postgresServer({ durable = false } = {}) {
  const url = process.env.TEST_DATABASE_URL || (await startCluster({ durable }));
  return {
    url,
    /** Creates an empty database, dropped when this process ends; returns its address. */
    async createDatabase() {
      const name = `canopy_${randomBytes(6).toString('hex')}`;
      await query(url, `create database ${name} template template0 encoding 'UTF8'`);
      onEnd(() => query(url, `drop database if exists ${name} with (force)`));
      const address = new URL(url);
      address.pathname = `/${name}`;
      return address.href;
    },
  };
}
