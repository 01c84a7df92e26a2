import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A server for tests: `url` is that of a superuser's maintenance database. */
export type RunningPostgres = { url: string; stop(): Promise<void> };

type Identity = { uid: number; gid: number };

/** The most milliseconds until a new server accepts connections. */
const START_TIMEOUT = 30_000;

/**
 * The server of `TEST_DATABASE_URL`, or a throw-away one from Debian's packages, without fsync.
 * Returns undefined when there is neither.
 */
export async function startPostgres(): Promise<RunningPostgres | undefined> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const binaries = postgresPrograms();
  const identity = serverIdentity();
  if (binaries === undefined || identity === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'canopy-postgres-'));
  try {
    await chown(folder, identity.uid, identity.gid);
    const data = join(folder, 'data');
    const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
    execFileSync(join(binaries, 'initdb'), options, { ...identity, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    return await runServer(join(binaries, 'postgres'), data, folder, identity);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The folder of PostgreSQL's programs: the newest of `/usr/lib/postgresql/<version>/bin`. */
export function postgresPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).map(Number).filter(Number.isInteger);
  const newest = versions.sort((a, b) => b - a).map((version) => join(root, String(version), 'bin'));
  return newest.find((folder) => existsSync(join(folder, 'initdb')));
}

/** The user `postgres` of the package, if there is one, because PostgreSQL does not run as root. */
function serverIdentity(): Identity | undefined {
  const { getuid, getgid } = process;
  if (getuid === undefined || getgid === undefined) return undefined;
  if (getuid() !== 0) return { uid: getuid(), gid: getgid() };
  try {
    const number = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }));
    return { uid: number('-u'), gid: number('-g') };
  } catch {
    return undefined;
  }
}

async function runServer(program: string, data: string, folder: string, identity: Identity): Promise<RunningPostgres> {
  const port = await freePort();
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];
  const server = spawn(
    program,
    [
      '-D',
      data,
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-k',
      folder,
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    { ...identity, cwd: folder, stdio: 'ignore' },
  );
  const killServer = (): void => void server.kill('SIGQUIT');
  process.once('exit', killServer);
  const stop = async (): Promise<void> => {
    process.off('exit', killServer);
    await stopServer(server);
    await rm(folder, { recursive: true, force: true });
  };
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  try {
    await waitFor(url, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  // Immediate: the data is thrown away.
  server.kill('SIGQUIT');
  await exited;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}

async function waitFor(url: string, server: ChildProcess): Promise<void> {
  for (const end = Date.now() + START_TIMEOUT; ; await sleep(50)) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (server.exitCode !== null || Date.now() > end) {
        throw new Error('The PostgreSQL server for tests did not start', { cause: error });
      }
    }
  }
}
