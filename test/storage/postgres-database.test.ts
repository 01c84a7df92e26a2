import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RequestEnd } from '../../src/core/http/request-end.ts';
import { PostgresDatabase } from '../../src/database/postgres/database.ts';
import type { PostgresOptions } from '../../src/database/postgres/options.ts';
import { createTestDatabase, engines, type TestDatabase } from '../support/database.ts';

describe.skipIf(!engines().includes('postgresql'))('PostgresDatabase', () => {
  const made: { drop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const item of made.splice(0)) await item.drop();
  });

  async function create(options: Partial<PostgresOptions> = {}): Promise<TestDatabase> {
    const created = await createTestDatabase('postgresql', { migrated: false, ...options });
    made.push(created);
    await created.database.script('create table item (id integer primary key, n integer not null default 0)');
    return created;
  }

  const count = async ({ database }: TestDatabase): Promise<unknown> =>
    (await database.query({ text: 'select count(*) as n from item' }))[0]?.n;

  const killOthers = (where: string): string =>
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${where}`;

  test('the loser of a deadlock runs again', async () => {
    const { database } = await create();
    await database.script('insert into item values (1), (2)');
    let attempts = 0;
    const add = (first: number, second: number): Promise<void> =>
      database.transaction(async (tx) => {
        attempts += 1;
        await tx.query({ text: 'update item set n = n + 1 where id = $1', values: [first] });
        await sleep(100);
        await tx.query({ text: 'update item set n = n + 1 where id = $1', values: [second] });
      });
    await Promise.all([add(1, 2), add(2, 1)]);
    expect(attempts).toBeGreaterThan(2);
    expect(await database.query({ text: 'select n from item order by id' })).toEqual([{ n: 2 }, { n: 2 }]);
  });

  test('long values are compressed by LZ4 where the server can', async () => {
    const { database } = await create();
    await database.script('create table long (text text)');
    await database.query({ text: 'insert into long values ($1)', values: ['many words '.repeat(1000)] });
    const [stored] = await database.query({
      text: `select coalesce(pg_column_compression(text), 'none') as how,
        (select case when 'lz4' = any(enumvals) then 'lz4' else 'pglz' end from pg_settings where name = 'default_toast_compression') as best
        from long`,
    });
    expect(stored?.how).toBe(stored?.best);
  });

  test('statements that nobody waits for are stopped while they have all connections', async () => {
    const { database } = await create({ poolSize: 2 });
    const end = new RequestEnd(new PassThrough());
    const began = performance.now();
    const left = [1, 2].map(() => database.query({ text: 'select pg_sleep(30)', end }));
    end.limit(300, () => new Error('left'));
    expect((await Promise.allSettled(left)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test('a rejected statement leaves the connection usable', async () => {
    const { database } = await create({ poolSize: 1 });
    const pid = async (): Promise<unknown> =>
      (await database.query({ text: 'select pg_backend_pid() as pid' }))[0]?.pid;
    const before = await pid();
    await expect(database.query({ text: 'select 1/0' })).rejects.toThrow(/division/);
    await expect(
      database.transaction(async () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await pid()).toBe(before);
  });

  test('a transaction whose connection was lost does not run again, and the connection is replaced', async () => {
    const created = await create({ poolSize: 1 });
    let attempts = 0;
    const work = created.database.transaction(async (tx) => {
      attempts += 1;
      await tx.query({ text: 'insert into item values (1)' });
      await tx.query({ text: 'select pg_terminate_backend(pg_backend_pid())' });
    });
    await expect(work).rejects.toThrow();
    expect(attempts).toBe(1);
    expect(await count(created)).toBe(0);
  });

  test('a connection lost at COMMIT is reported as an unknown outcome, without another attempt', async () => {
    const created = await create({ poolSize: 1 });
    await created.database.script(`
      create function die() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
      create constraint trigger die after insert on item deferrable initially deferred
        for each row execute function die();`);
    const ran: string[] = [];
    let attempts = 0;
    const work = created.database.transaction(async (tx) => {
      attempts += 1;
      tx.afterCommit(() => void ran.push('ran'));
      await tx.query({ text: 'insert into item values (1)' });
    });
    await expect(work).rejects.toThrow(/outcome is unknown/);
    expect({ attempts, ran }).toEqual({ attempts: 1, ran: [] });
    expect(await count(created)).toBe(0);
  });

  test('idle connections that the server closed are replaced', async () => {
    const created = await create({ poolSize: 2 });
    const other = new PostgresDatabase(created.url ?? '', { log: () => undefined });
    made.unshift({ drop: () => other.close() });
    await other.query({ text: killOthers('true') });
    await expect.poll(() => created.problems.length).toBeGreaterThan(0);
    expect(await count(created)).toBe(0);
  });

  test('work after a commit runs with a pool of one connection', async () => {
    const created = await create({ poolSize: 1 });
    let seen: unknown;
    await created.database.transaction(async (tx) => {
      tx.afterCommit(async () => {
        seen = await count(created);
      });
      await tx.query({ text: 'insert into item values (1)' });
    });
    expect(seen).toBe(1);
  });

  test('a named statement returns the rows for its values on every run', async () => {
    const { database } = await create({ poolSize: 1 });
    const run = (n: number): Promise<object[]> =>
      database.query({ text: 'select $1::integer as n', values: [n], name: 'echo' });
    expect([await run(1), await run(2)]).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    const prepared = await database.query({
      text: `select count(*) as n from pg_prepared_statements where name = 'echo'`,
    });
    expect(prepared).toEqual([{ n: 1 }]);
  });

  test('the time limit for statements is restored after a script', async () => {
    const { database } = await create({ poolSize: 1 });
    await database.script('select 1');
    await expect(database.script('select 1/0')).rejects.toThrow();
    expect(await database.query({ text: 'show statement_timeout' })).toEqual([{ statement_timeout: '1min' }]);
  });

  test('several channels are listened to, and left, at once, without a second statement on a busy connection', async () => {
    const { database } = await create();
    const warnings: string[] = [];
    const note = ({ message }: Error) => void warnings.push(message);
    process.on('warning', note);
    const got: string[] = [];
    const names = ['channel_a', 'channel_b', 'channel_c'];
    const stops = await Promise.all(names.map((name) => database.listen(name, (payload) => void got.push(payload))));
    for (const name of names) await database.query({ text: `select pg_notify('${name}', '${name}')` });
    await vi.waitFor(() => expect(got).toEqual(names));
    await Promise.all(stops.map((stop) => stop()));
    for (const name of names) await database.query({ text: `select pg_notify('${name}', 'late')` });
    process.off('warning', note);
    expect([got, warnings]).toEqual([names, []]);
  });

  test('listening resumes after a lost connection and reports that it missed something', async () => {
    const { database } = await create();
    const got: string[] = [];
    const stop = await database.listen('changes', (payload) => void got.push(payload));
    await database.query({ text: killOthers(`query ilike 'listen%'`) });
    await expect.poll(() => got, { timeout: 5_000 }).toEqual(['']);
    await database.query({ text: `select pg_notify('changes', 'again')` });
    await expect.poll(() => got).toEqual(['', 'again']);
    await stop();
  });

  test('notifications of other processes arrive', async () => {
    const { database, url } = await create();
    const other = new PostgresDatabase(url ?? '', { log: () => undefined });
    made.unshift({ drop: () => other.close() });
    const got: string[] = [];
    await database.listen('changes', (payload) => void got.push(payload));
    await other.query({ text: `select pg_notify('changes', 'theirs')` });
    await expect.poll(() => got).toEqual(['theirs']);
  });
});
