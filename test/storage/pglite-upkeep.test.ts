import { PGlite } from '@electric-sql/pglite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Statement } from '../../src/database/database.ts';
import { PgliteConnection } from '../../src/database/pglite/connection.ts';
import { PendingEntries } from '../../src/database/pglite/pending-entries.ts';
import { Turns } from '../../src/database/pglite/turns.ts';
import { PgliteUpkeep } from '../../src/database/pglite/upkeep.ts';

test('the upkeep of the embedded database vacuums and analyses the table that changed most', async () => {
  const problems: unknown[] = [];
  const log = (_message: string, error: unknown): void => void problems.push(error);
  const connection = new PgliteConnection(await PGlite.create(), log);
  const upkeep = new PgliteUpkeep(connection, new Turns(), log);
  await connection.script(`create table "Odd name" (id integer primary key, n integer) with (autovacuum_enabled = false);
    insert into "Odd name" select i, 0 from generate_series(1, 1000) i;
    update "Odd name" set n = 1;
    select pg_stat_force_next_flush();`);
  await upkeep.run();
  await upkeep.stop();
  const rows = await connection.query({
    text: 'select reltuples::integer as tuples from pg_class where relname = $1',
    values: ['Odd name'],
  });
  await connection.close();
  expect(problems).toEqual([]);
  expect(rows).toEqual([{ tuples: 1000 }]);
});

/** An upkeep that notes what it does, of a database of its own. */
async function begin() {
  const done: string[] = [];
  const connection = new PgliteConnection(await PGlite.create(), () => {});
  const noting = {
    query: (statement: Statement) => connection.query<{ name: string; vacuum: boolean; analyze: boolean }>(statement),
    script: (sql: string) => {
      done.push(sql);
      return connection.script(sql);
    },
  };
  const upkeep = new PgliteUpkeep(noting, new Turns(), () => {});
  const end = async () => {
    await upkeep.stop();
    await connection.close();
  };
  /** Counts of changed rows begin anew, as after a start. */
  const forgetCounts = async () => {
    await connection.script('select pg_stat_force_next_flush()');
    await connection.script('select pg_stat_reset()');
  };
  return { done, connection, upkeep, forgetCounts, end };
}

const FILLED = `create table filled (id integer primary key, n integer, text text) with (autovacuum_enabled = false);
  insert into filled select i, 0, repeat('x', 500) from generate_series(1, 4000) i`;

test('a table that was filled before the start of the engine is kept up, once', async () => {
  const { done, connection, upkeep, forgetCounts, end } = await begin();
  await connection.script(
    `${FILLED}; create table small (id integer); insert into small select generate_series(1, 4000)`,
  );
  await forgetCounts();
  expect(await upkeep.run()).toBe('public.filled');
  expect(await upkeep.run()).toBeUndefined();
  await end();
  expect(done).toEqual(['vacuum public.filled', 'analyze public.filled']);
});

test('changed rows count as a share of the table, also of one that was filled before the start', async () => {
  const { done, connection, upkeep, forgetCounts, end } = await begin();
  await connection.script(FILLED);
  await upkeep.run();
  await forgetCounts();
  const change = async (last: number) => {
    await connection.script(`update filled set n = n + 1 where id <= ${last}`);
    await connection.script('select pg_stat_force_next_flush()');
  };
  done.length = 0;
  await change(400);
  expect(await upkeep.run()).toBeUndefined();
  await change(100);
  expect(await upkeep.run()).toBe('public.filled');
  expect(await upkeep.run()).toBeUndefined();
  await change(500);
  expect(await upkeep.run()).toBe('public.filled');
  await end();
  expect(done).toEqual(['analyze public.filled', 'vacuum public.filled', 'analyze public.filled']);
});

test('a table that a migration has made anew is vacuumed', async () => {
  const { done, connection, upkeep, forgetCounts, end } = await begin();
  await connection.script(FILLED);
  await upkeep.run();
  done.length = 0;
  await connection.script('alter table filled alter column n type bigint; analyze filled');
  await forgetCounts();
  expect(await upkeep.run()).toBe('public.filled');
  expect(await upkeep.run()).toBeUndefined();
  await end();
  expect(done).toEqual(['vacuum public.filled']);
});

test('what waits to enter an index of words is moved', async () => {
  const problems: unknown[] = [];
  const log = (_message: string, error: unknown): void => void problems.push(error);
  const connection = new PgliteConnection(await PGlite.create(), log);
  const pending = new PendingEntries(connection, new Turns(), log, () => 0);
  await connection.script(`create table texts (words tsvector);
    create index waiting on texts using gin (words);
    create index at_once on texts using gin (words) with (fastupdate = off)`);
  const insert = () =>
    connection.script(`insert into texts select to_tsvector('simple', 'walrus ' || i) from generate_series(1, 100) i`);
  const waiting = () => connection.query({ text: `select gin_clean_pending_list('waiting')::integer as pages` });
  await insert();
  expect(await waiting()).not.toEqual([{ pages: 0 }]);
  await insert();
  await pending.run();
  expect(await waiting()).toEqual([{ pages: 0 }]);
  await pending.stop();
  await connection.close();
  expect(problems).toEqual([]);
});

describe('the time of upkeep', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** An upkeep of three tables that need it; returns what it has done so far. */
  function beginOnTime(turns: Turns) {
    const done: string[] = [];
    const waiting = ['a', 'b', 'c'];
    const connection = {
      query: async () => waiting.slice(0, 1).map((name) => ({ name, vacuum: true, analyze: true })),
      script: async (sql: string) => {
        done.push(sql);
        if (sql.startsWith('analyze')) waiting.shift();
        return '';
      },
    };
    const upkeep = new PgliteUpkeep(connection, turns, () => {});
    return { done, upkeep };
  }

  async function pass(seconds: number, during: () => unknown = () => undefined): Promise<void> {
    for (let second = 1; second <= seconds; second += 1) {
      during();
      await vi.advanceTimersByTimeAsync(1000);
      for (let step = 0; step < 20; step += 1) await Promise.resolve();
    }
  }

  test('what waits for indexes is moved after a write, when the database is idle', async () => {
    const turns = new Turns();
    const rounds: number[] = [];
    let writes = 1;
    const connection = {
      query: async () => {
        rounds.push(writes);
        return [];
      },
      script: async () => '',
    };
    const pending = new PendingEntries(
      connection,
      turns,
      () => {},
      () => writes,
    );
    await pass(30);
    expect(rounds).toEqual([1]);
    writes = 2;
    let end: () => void = () => {};
    void turns.run(() => new Promise<void>((resolve) => (end = resolve)));
    await pass(20);
    expect(rounds).toEqual([1]);
    end();
    await pass(20);
    expect(rounds).toEqual([1, 2]);
    await pending.stop();
  });

  test('once a minute has passed, an idle database is kept up at once, one table a second', async () => {
    const { done, upkeep } = beginOnTime(new Turns());
    await pass(60);
    expect(done).toEqual([]);
    await pass(2);
    expect(done).toEqual(['vacuum a', 'analyze a', 'vacuum b', 'analyze b']);
    await pass(30);
    expect(done).toHaveLength(6);
    await upkeep.stop();
  });

  test('where somebody always waits, one table is kept up in two minutes', async () => {
    const turns = new Turns();
    const { done, upkeep } = beginOnTime(turns);
    let end: () => void = () => {};
    /** There is always a next user before the last one ends. */
    const use = () => {
      const before = end;
      void turns.run(() => new Promise<void>((resolve) => (end = resolve)));
      before();
    };
    await pass(119, use);
    expect(done).toEqual([]);
    await pass(5, use);
    expect(done).toEqual(['vacuum a', 'analyze a']);
    await pass(100, use);
    expect(done).toHaveLength(2);
    end();
    await pass(100);
    expect(done).toHaveLength(6);
    await upkeep.stop();
  });
});
