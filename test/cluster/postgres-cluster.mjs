// PostgreSQL with standbys, and PgBouncer, as real servers that can be killed, frozen, promoted and led elsewhere.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { onEnd } from '../../scripts/lib/cleanup.mjs';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { account, postgresPrograms } from '../../scripts/lib/postgres.mjs';
import { stopChild } from '../../scripts/lib/stop-child.mjs';

const run = promisify(execFile);
const START_TIMEOUT_MS = 60_000;
const POOLER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));

/** Says if Debian's PostgreSQL and PgBouncer are installed. */
export const isClusterInstalled = () => POOLER !== undefined && postgresPrograms() !== undefined;

/** Runs one statement at an address on a connection of its own; returns the rows. */
export async function queryAt(url, text, values) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Repeats `attempt` until it is true. Throws with `what` when that takes too long. */
export async function until(what, attempt, timeout = START_TIMEOUT_MS) {
  let failure;
  for (const end = Date.now() + timeout; Date.now() < end; await sleep(50)) {
    try {
      if (await attempt()) return;
    } catch (error) {
      failure = error;
    }
  }
  throw new Error(`${what} took longer than ${timeout} ms`, { cause: failure });
}

/** One process that can be started and ended at will. */
class RunningProgram {
  #child;
  #launch;
  #output = '';

  constructor(launch) {
    this.#launch = launch;
  }

  get isRunning() {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get output() {
    return this.#output;
  }

  launch() {
    const child = this.#launch();
    child.stderr.setEncoding('utf8').on('data', (text) => {
      this.#output = (this.#output + text).slice(-16_384);
    });
    this.#child = child;
  }

  signal(name) {
    this.#child?.kill(name);
  }

  /** Ends it with a signal and waits for that. */
  async end(signal) {
    if (this.#child === undefined) return;
    this.#child.kill('SIGCONT');
    await stopChild(this.#child, signal);
  }
}

/** One PostgreSQL server, a primary or a standby. */
class PostgresServer extends RunningProgram {
  constructor({ name, dir, bin, user, port, settings }) {
    const data = join(dir, name);
    super(() =>
      spawn(
        join(bin, 'postgres'),
        ['-D', data, '-p', String(port), '-k', dir, '-h', '127.0.0.1', ...settings.flatMap((each) => ['-c', each])],
        { ...user, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] },
      ),
    );
    this.name = name;
    this.port = port;
    this.data = data;
    this.url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  }

  async start() {
    if (!this.isRunning) this.launch();
    await until(`The start of ${this.name}`, () => queryAt(this.url, 'select 1'));
  }

  /** Ends it as a crash does: nothing is written any more, and the next start recovers. */
  crash() {
    return this.end('SIGQUIT');
  }

  /** Makes a primary of a standby. */
  async promote() {
    await queryAt(this.url, 'select pg_promote()');
    await until(`The promotion of ${this.name}`, async () => {
      const [{ standby }] = await queryAt(this.url, 'select pg_is_in_recovery() as standby');
      return !standby;
    });
  }

  /** Stops the replay of a standby, so that it lags; `false` lets it go on. */
  async lag(isLagging) {
    await queryAt(this.url, `select pg_wal_replay_${isLagging ? 'pause' : 'resume'}()`);
  }

  /** Has a standby follow another primary. */
  async follow(primary) {
    await queryAt(this.url, `alter system set primary_conninfo = '${conninfo(primary, this.name)}'`);
    await queryAt(this.url, `alter system set primary_slot_name = ''`);
    await queryAt(this.url, 'select pg_reload_conf()');
  }
}

const conninfo = (primary, name) =>
  `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name} connect_timeout=5`;

/**
 * Starts a primary with standbys, the first of which is synchronous when `isSynchronous`: the primary acknowledges what
 * both have on their disks. `settings` are further ones of all servers.
 */
export async function startPostgresCluster({ standbys = 2, isSynchronous = true, settings = [] } = {}) {
  const bin = postgresPrograms();
  const user = account();
  const dir = await mkdtemp(join(tmpdir(), 'canopy-cluster-'));
  const remove = onEnd(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  if (user.uid !== undefined) await chown(dir, user.uid, user.gid);
  const serverOf = async (name) =>
    new PostgresServer({
      ...{ name, dir, bin, user, port: await freePort() },
      settings: ['max_connections=200', 'max_wal_senders=20', 'shared_buffers=64MB', ...settings],
    });
  const primary = await serverOf('primary');
  const options = ['-D', primary.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  await run(join(bin, 'initdb'), options, { ...user, cwd: dir });
  const servers = [primary];
  const ends = [onEnd(() => primary.crash())];
  await primary.start();
  for (let number = 1; number <= standbys; number += 1) {
    const standby = await serverOf(`standby${number}`);
    await run(
      join(bin, 'pg_basebackup'),
      ['-D', standby.data, '-d', conninfo(primary, standby.name), '-R', '-c', 'fast', '--no-sync'],
      { ...user, cwd: dir },
    );
    ends.push(onEnd(() => standby.crash()));
    await standby.start();
    servers.push(standby);
  }
  if (isSynchronous) {
    await queryAt(primary.url, `alter system set synchronous_standby_names = 'standby1'`);
    await queryAt(primary.url, 'select pg_reload_conf()');
  }
  return {
    primary,
    standbys: servers.slice(1),
    async createDatabase(name) {
      await queryAt(primary.url, `create database ${name} template template0 encoding 'UTF8'`);
    },
    async stop() {
      for (const end of ends.reverse()) await end();
      await remove();
    },
  };
}

/** The address of a database on a server, or on several that are tried in turn. */
export function addressOf(name, ...servers) {
  return `postgresql://postgres@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${name}`;
}

/** PgBouncer in transaction mode in front of one server. */
export async function startPooler(target, { settings = [] } = {}) {
  const user = account();
  const dir = await mkdtemp(join(tmpdir(), 'canopy-pooler-'));
  const remove = onEnd(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(dir, { recursive: true });
  if (user.uid !== undefined) await chown(dir, user.uid, user.gid);
  const port = await freePort();
  const file = join(dir, 'pgbouncer.ini');
  const configure = async (server) => {
    await writeFile(join(dir, 'users.txt'), '"postgres" ""\n');
    await writeFile(
      file,
      [
        '[databases]',
        `* = host=127.0.0.1 port=${server.port}`,
        '[pgbouncer]',
        `listen_addr = 127.0.0.1`,
        `listen_port = ${port}`,
        `unix_socket_dir = ${dir}`,
        'auth_type = trust',
        `auth_file = ${join(dir, 'users.txt')}`,
        'pool_mode = transaction',
        'max_client_conn = 500',
        'default_pool_size = 12',
        'server_login_retry = 1',
        'query_wait_timeout = 10',
        ...settings,
        '',
      ].join('\n'),
    );
  };
  await configure(target);
  const pooler = new RunningProgram(() =>
    spawn(POOLER, [file], { ...user, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  pooler.name = 'pgbouncer';
  pooler.port = port;
  pooler.start = async () => {
    if (!pooler.isRunning) pooler.launch();
    await until('The start of PgBouncer', () =>
      queryAt(`postgresql://postgres@127.0.0.1:${port}/postgres`, 'select 1'),
    );
  };
  pooler.crash = () => pooler.end('SIGKILL');
  pooler.leadTo = async (server) => {
    await configure(server);
    pooler.signal('SIGHUP');
  };
  const end = onEnd(() => pooler.crash());
  pooler.stop = async () => {
    await end();
    await remove();
  };
  await pooler.start();
  return pooler;
}
