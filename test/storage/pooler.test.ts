import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { RequestEnd } from '../../src/core/http/request-end.ts';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/open.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import {
  addressOf,
  isClusterInstalled,
  type Pooler,
  type PostgresCluster,
  queryAt,
  startPooler,
  startPostgresCluster,
} from '../cluster/postgres-cluster.mjs';

const FAST = ['fsync=off', 'full_page_writes=off'];

describe.skipIf(!isClusterInstalled())('through PgBouncer in transaction mode', () => {
  let cluster: PostgresCluster;
  let pooler: Pooler;
  const open: { close(): Promise<void> }[] = [];
  const logged: string[] = [];

  beforeAll(async () => {
    cluster = await startPostgresCluster({ standbys: 1, isSynchronous: false, settings: FAST });
    await cluster.createDatabase('site');
    pooler = await startPooler(cluster.primary, { settings: ['default_pool_size = 3'] });
  }, 120_000);
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
    logged.length = 0;
  });
  afterAll(async () => {
    await pooler?.stop();
    await cluster?.stop();
  });

  const pooled = (): string => addressOf('site', pooler);
  const direct = (): string => addressOf('site', cluster.primary);
  const log = (message: string): void => void logged.push(message);
  async function opened(databaseUrl: string, directUrl?: string): Promise<Database> {
    const database = await openDatabase({ databaseUrl, directUrl, dataDir: '/nowhere', log });
    open.push(database);
    return database;
  }

  test('a pooler without the address of the server itself stops the start with what to do', async () => {
    await expect(opened(pooled())).rejects.toThrow(
      'DATABASE_URL leads through a pooler of connections in transaction mode. Set DATABASE_DIRECT_URL',
    );
  });

  test('a direct address that leads through the pooler, elsewhere, or to a standby stops the start', async () => {
    await expect(opened(pooled(), pooled())).rejects.toThrow('DATABASE_DIRECT_URL leads through a pooler');
    await expect(opened(pooled(), addressOf('postgres', cluster.primary))).rejects.toThrow('leads to another database');
    const [standby] = cluster.standbys;
    if (standby === undefined) throw new Error('No standby');
    await expect(opened(pooled(), addressOf('site', standby))).rejects.toThrow('is a standby, which takes no writes');
    await expect(opened(addressOf('site', standby))).rejects.toThrow('is a standby, which takes no writes');
    await expect(opened(`${pooled()}?target_session_attrs=standby`)).rejects.toThrow(
      'needs a server that takes writes',
    );
  });

  test('statements with names run on whichever connection of the server is free', async () => {
    const database = await opened(pooled(), direct());
    const statement = { name: 'twice', text: 'select $1::int + pg_sleep(0.02)::text::int * 0 as n' };
    const plain = { name: 'plain', text: 'select $1::int as n, pg_backend_pid() as backend' };
    const rows = await Promise.all(
      Array.from({ length: 60 }, (_, n) => database.query<{ n: number; backend: number }>({ ...plain, values: [n] })),
    );
    expect(rows.map(([row]) => row?.n)).toEqual(Array.from({ length: 60 }, (_, n) => n));
    await expect(database.query({ ...statement, text: 'select $1::int as n', values: [1] })).resolves.toEqual([
      { n: 1 },
    ]);
  });

  test('a transaction has its limits and its isolation although other clients use the same connections', async () => {
    // Connections to the server that nobody has changed.
    await pooler.crash();
    await pooler.start();
    const database = await opened(pooled(), direct());
    await database.transaction(
      async (tx) => {
        const [row] = await tx.query<Record<string, string>>({
          text: `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
            current_setting('idle_in_transaction_session_timeout') as idle, current_setting('jit') as jit,
            current_setting('transaction_isolation') as isolation, current_setting('TimeZone') as zone`,
        });
        expect(row).toEqual({
          statement: '1min',
          lock: '1500ms',
          idle: '1min',
          jit: 'off',
          isolation: 'read committed',
          zone: 'UTC',
        });
      },
      { lockTimeout: 1500 },
    );
    expect(logged.join()).toContain('alter role … set statement_timeout = 60s');
  });

  test('a statement that nobody waits for is stopped, and none of others', async () => {
    const database = await opened(pooled(), direct());
    const others = Array.from({ length: 4 }, () => database.query({ text: 'select pg_sleep(0.6)' }));
    const end = new RequestEnd(new PassThrough());
    const long = database.query({ text: 'select pg_sleep(30)', end });
    end.limit(300, () => new Error('left'));
    await expect(long).rejects.toThrow();
    await expect(Promise.all(others)).resolves.toHaveLength(4);
    const [row] = await queryAt<{ n: string }>(
      direct(),
      `select count(*) as n from pg_stat_activity where query like '%pg_sleep(30)%' and state = 'active' and pid <> pg_backend_pid()`,
    );
    expect(Number(row?.n)).toBe(0);
  });

  test('notifications and scripts take the way without the pooler', async () => {
    const database = await opened(pooled(), direct());
    const heard: string[] = [];
    await database.listen('news', (payload) => void heard.push(payload));
    await database.script(`create table scripted (n int); insert into scripted values (1)`);
    await database.transaction((tx) => tx.query({ text: `select pg_notify('news', 'one')` }));
    await expect.poll(() => heard).toEqual(['one']);
    expect(await database.query({ text: 'select n from scripted' })).toEqual([{ n: 1 }]);
  });

  test('a process that is alone has the lease to write alone, and its own writes do not wait for it', async () => {
    const database = await opened(pooled(), direct());
    await migrate(database, packageFolder('migrations'));
    for (const each of open.splice(0)) await each.close();
    // The pooler keeps connections under the names of processes that have ended.
    await pooler.crash();
    await pooler.start();
    const alone = await opened(pooled(), direct());
    await expect.poll(() => alone.writes, { timeout: 10_000 }).toBeDefined();
    const began = performance.now();
    for (let n = 0; n < 20; n += 1)
      await alone.transaction((tx) =>
        tx.query({ text: `update site_state set value = value where name = 'configuration'` }),
      );
    // A write without the lease waits until the lease is gone: for half a second at least.
    expect(performance.now() - began).toBeLessThan(3000);
    expect(alone.writes).toBeDefined();
    await queryAt(direct(), `update site_state set value = value where name = 'configuration'`);
    expect(alone.writes).toBeUndefined();
  });

  test('after the pooler has died, requests fail as in an outage, and work again when it is back', async () => {
    const database = await opened(pooled(), direct());
    await pooler.crash();
    await expect(database.query({ text: 'select 1' })).rejects.toThrow(/Cannot connect|was lost/);
    await pooler.start();
    await expect.poll(() => database.query({ text: 'select 1 as n' }).catch(() => undefined)).toEqual([{ n: 1 }]);
  });
});

describe.skipIf(!isClusterInstalled())('when another server takes the place of the primary', () => {
  test('an address with several hosts leads to the one that takes writes, without a restart', {
    timeout: 120_000,
  }, async () => {
    const cluster = await startPostgresCluster({ standbys: 1, settings: FAST });
    try {
      await cluster.createDatabase('site');
      const [standby] = cluster.standbys;
      if (standby === undefined) throw new Error('No standby');
      const url = `${addressOf('site', standby, cluster.primary)}?target_session_attrs=read-write`;
      const database = await openDatabase({ databaseUrl: url, dataDir: '/nowhere', log: () => {} });
      try {
        await database.script('create table kept (n int)');
        const heard: string[] = [];
        await database.listen('news', (payload) => void heard.push(payload));
        await database.query({ text: 'insert into kept values (1)' });
        await cluster.primary.crash();
        await expect(database.query({ text: 'insert into kept values (2)' })).rejects.toThrow();
        await standby.promote();
        await expect
          .poll(() => database.query({ text: 'insert into kept values (3) returning n' }).catch(() => []), {
            timeout: 20_000,
          })
          .toEqual([{ n: 3 }]);
        expect(await database.query({ text: 'select n from kept order by n' })).toEqual([{ n: 1 }, { n: 3 }]);
        // Anything may have happened meanwhile.
        await expect.poll(() => heard, { timeout: 20_000 }).toContain('');
        await database.query({ text: `select pg_notify('news', 'after')` });
        await expect.poll(() => heard, { timeout: 20_000 }).toContain('after');
      } finally {
        await database.close();
      }
    } finally {
      await cluster.stop();
    }
  });
});
