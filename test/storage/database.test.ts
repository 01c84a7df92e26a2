import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Row } from '../../src/database/database.ts';
import { brokenUniqueConstraint } from '../../src/database/sql-errors.ts';
import { MAX_ATTEMPTS } from '../../src/database/transactions.ts';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/database.ts';

describeEachEngine('Database', (engine) => {
  let test1: TestDatabase;
  const db = (): TestDatabase['database'] => test1.database;
  const one = async (text: string, ...values: unknown[]): Promise<Row | undefined> =>
    (await db().query({ text, values }))[0];
  const ids = async (): Promise<unknown[]> =>
    (await db().query<{ id: number }>({ text: 'select id from item order by id' })).map(({ id }) => id);

  beforeAll(async () => {
    test1 = await createTestDatabase(engine, { migrated: false });
    await db().script('create table item (id integer constraint item_key primary key, data jsonb)');
  });
  beforeEach(async () => {
    await db().script('delete from item');
    test1.problems.length = 0;
  });
  afterAll(() => test1.drop());

  test('each SQL type has the same value on every engine', async () => {
    const row = await one(`select 9007199254740991::bigint as int8, count(*) as count, 1.50::numeric as numeric,
      0.1::float8 as float8, true as bool, null::text as nothing, '{"a":[1,"é"]}'::jsonb as jsonb,
      timestamptz '2026-03-04 05:06:07.891+02' as at, date '2026-03-04' as date, '\\x00ff'::bytea as bytes,
      array['a', null, 'NULL', '', 'q"\\,{}']::text[] as texts, array[1,2]::bigint[] as int8s,
      array[true,false] as bools, array[1.5]::numeric[] as numerics, array['{"b":1}'::jsonb] as jsonbs,
      '{}'::text[] as no_texts`);
    expect(row).toEqual({
      int8: 9007199254740991,
      count: 1,
      numeric: '1.50',
      float8: 0.1,
      bool: true,
      nothing: null,
      jsonb: { a: [1, 'é'] },
      at: new Date('2026-03-04T03:06:07.891Z'),
      date: '2026-03-04',
      bytes: Buffer.from([0, 255]),
      texts: ['a', null, 'NULL', '', 'q"\\,{}'],
      int8s: [1, 2],
      bools: [true, false],
      numerics: ['1.5'],
      jsonbs: [{ b: 1 }],
      no_texts: [],
    });
  });

  test('a bigint that no number can hold is rejected', async () => {
    await expect(one('select 9007199254740993::bigint as big')).rejects.toThrow(RangeError);
  });

  test('parameters of every type arrive unchanged', async () => {
    const at = new Date('2026-03-04T05:06:07.891Z');
    const texts = ['a', 'NULL', '', 'q"\\,{} ', null];
    const row = await one(
      `select $1::text as text, $2::bigint as int8, $3::boolean as bool, $4::timestamptz as at, $5::text[] as texts,
        $6::jsonb as jsonb, $7::text as nothing, $8::bytea as bytes, $9::float8 as float8, $10::bigint[] as int8s`,
      'q\'"\\',
      2 ** 40,
      false,
      at,
      texts,
      JSON.stringify({ a: 'é😀' }),
      undefined,
      Buffer.from([0, 39, 92, 255]),
      -0.1,
      [1, 2 ** 40],
    );
    expect(row).toEqual({
      text: 'q\'"\\',
      int8: 2 ** 40,
      bool: false,
      at,
      texts,
      jsonb: { a: 'é😀' },
      nothing: null,
      bytes: Buffer.from([0, 39, 92, 255]),
      float8: -0.1,
      int8s: [1, 2 ** 40],
    });
  });

  test('rows of any size arrive whole, and the next statement has its own', async () => {
    // Sizes around those of the pieces and buffers in which the engines send rows.
    const sizes = [0, 1, 8000, 8192, 70_000, 262_140, 262_144, 1_500_000, 3];
    for (const size of [...sizes, ...sizes.toReversed()]) {
      const rows = await db().query<{ at: number; text: string | null; next: string }>({
        name: 'sized-rows',
        text: `select at, case when at <> 2 then repeat('é' || at, $1::int) end as text, repeat('n', $1::int) as next from generate_series(1, 3) at`,
        values: [size],
      });
      expect(rows).toEqual(
        [1, 2, 3].map((at) => ({ at, text: at === 2 ? null : `é${at}`.repeat(size), next: 'n'.repeat(size) })),
      );
    }
    await expect(one(`select repeat('x', 300000), 1 / (random() * 0)::int`)).rejects.toThrow('division by zero');
    expect(await one('select 1 as one')).toEqual({ one: 1 });
  });

  test('dates far in the past and the future are kept', async () => {
    const dates = [
      new Date(-62_198_755_200_000),
      new Date('0001-02-03T00:00:00Z'),
      new Date('+012345-06-07T08:09:10Z'),
    ];
    const row = await one('select $1::timestamptz[] as dates', dates);
    expect(row).toEqual({ dates });
  });

  test('an object as a parameter is rejected', async () => {
    await expect(one('select $1::jsonb', { a: 1 })).rejects.toThrow(/pass JSON as text/);
  });

  test('the error names the value that the database cannot hold', async () => {
    const refused = (message: RegExp): unknown =>
      expect.objectContaining({ status: 400, message: expect.stringMatching(message) });
    await expect(one('select $1::text', 'a\0b')).rejects.toEqual(refused(/U\+0000/));
    await expect(one('select $1::jsonb', JSON.stringify({ a: '\0' }))).rejects.toEqual(refused(/U\+0000/));
    await expect(one('select $1::jsonb', JSON.stringify('\ud800'))).rejects.toEqual(refused(/surrogate/));
    await expect(one('select $1::integer', 2 ** 40)).rejects.toEqual(refused(/out of range/));
    await expect(db().transaction((tx) => tx.query({ text: 'select $1::text', values: ['\0'] }))).rejects.toEqual(
      refused(/U\+0000/),
    );
  });

  test('a query with a second statement in its text is rejected', async () => {
    await expect(one('select 1; delete from item')).rejects.toThrow(/multiple commands/);
  });

  test('letters beyond ASCII are folded, and texts are ordered by code point', async () => {
    expect(
      await one(`select lower('ÉÇ') as lower, 'b' < 'A' as natural, to_tsvector('simple', 'École')::text as words`),
    ).toEqual({ lower: 'éç', natural: false, words: "'école':1" });
  });

  test('all statements of a transaction are committed together', async () => {
    const answer = await db().transaction(async (tx) => {
      await tx.query({ text: 'insert into item values (1)' });
      await tx.query({ text: 'insert into item values ($1)', values: [2], name: 'insert-item' });
      return 'done';
    });
    expect(answer).toBe('done');
    expect(await ids()).toEqual([1, 2]);
  });

  test('a transaction whose work fails is rolled back, and the database goes on working', async () => {
    const failure = new Error('no');
    await expect(
      db().transaction(async (tx) => {
        await tx.query({ text: 'insert into item values (1)' });
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect(await ids()).toEqual([]);
  });

  test('the error names the unique constraint that was broken', async () => {
    await one('insert into item values (1)');
    const error: unknown = await one('insert into item values (1)').catch((thrown: unknown) => thrown);
    expect(brokenUniqueConstraint(error)).toBe('item_key');
  });

  test('a transaction that ignores a failed statement fails, because nothing was committed', async () => {
    const work = db().transaction(async (tx) => {
      await tx.query({ text: 'insert into item values (1)' });
      await tx.query({ text: 'select 1/0' }).catch(() => undefined);
    });
    await expect(work).rejects.toThrow(/rolled back/);
    expect(await ids()).toEqual([]);
  });

  test('statements of a transaction that start together run one after the other', async () => {
    await db().transaction((tx) =>
      Promise.all([1, 2, 3].map((id) => tx.query({ text: 'insert into item values ($1)', values: [id] }))),
    );
    expect(await ids()).toEqual([1, 2, 3]);
  });

  test('deferred statements of a transaction run in their order, with the next one that somebody waits for', async () => {
    const insert = (id: number) => ({ text: 'insert into item values ($1)', values: [id], deferred: true });
    await db().transaction(async (tx) => {
      expect(await tx.query(insert(1))).toEqual([]);
      expect(await tx.query({ text: 'select id from item' })).toEqual([{ id: 1 }]);
      await tx.query(insert(2));
    });
    await db().transaction(async (tx) => {
      for (let id = 10; id < 200; id += 1) await tx.query(insert(id));
    });
    expect(await ids()).toHaveLength(192);
    expect(await db().query(insert(3))).toEqual([]);
    expect(await ids()).toHaveLength(193);
  });

  test('a deferred statement that fails is the failure of the next one, or of the commit, and nothing remains', async () => {
    const insert = { text: 'insert into item values (1)', deferred: true };
    const broken = async (error: unknown) => expect(brokenUniqueConstraint(error)).toBe('item_key');
    const ran: string[] = [];
    await db()
      .transaction(async (tx) => {
        await tx.query(insert);
        await tx.query(insert);
        await tx.query({ text: 'select 1' }).catch(broken);
        await tx.query(insert);
        throw new Error('seen');
      })
      .catch((error: unknown) => expect(error).toMatchObject({ message: 'seen' }));
    await db()
      .transaction(async (tx) => {
        tx.afterCommit(() => void ran.push('ran'));
        await tx.query({ text: 'insert into item values (2)' });
        await tx.query(insert);
        await tx.query(insert);
      })
      .then(() => ran.push('committed'), broken);
    expect(ran).toEqual([]);
    expect(await ids()).toEqual([]);
    await one('insert into item values (1)');
    expect(await ids()).toEqual([1]);
  });

  test('a value that cannot be a parameter fails alone in a transaction', async () => {
    await db().transaction(async (tx) => {
      const [kept, failed] = await Promise.allSettled([
        tx.query({ text: 'insert into item values (1)' }),
        tx.query({ text: 'insert into item values ($1)', values: [{}] }),
      ]);
      expect([kept.status, failed.status]).toEqual(['fulfilled', 'rejected']);
    });
    expect(await ids()).toEqual([1]);
  });

  test('a named statement that failed when it ran first can be used again', async () => {
    const inverse = (value: number) =>
      db().query({ name: 'inverse', text: 'select 1 / $1::int as n', values: [value] });
    await expect(inverse(0)).rejects.toThrow('division by zero');
    expect([await inverse(1), await inverse(1)]).toEqual([[{ n: 1 }], [{ n: 1 }]]);
  });

  test('a transaction rejects statements after its end', async () => {
    let late: Promise<unknown> = Promise.resolve();
    await db().transaction(async (tx) => {
      late = sleep(20).then(() => tx.query({ text: 'insert into item values (9)' }));
      late.catch(() => undefined);
    });
    await expect(late).rejects.toThrow(/transaction/i);
    expect(await ids()).toEqual([]);
  });

  test('others see a transaction as a whole or not at all', async () => {
    const seen: Promise<unknown[]>[] = [];
    const inserts = db().transaction(async (tx) => {
      await tx.query({ text: 'insert into item values (1)' });
      await sleep(30);
      await tx.query({ text: 'insert into item values (2)' });
    });
    await sleep(10);
    seen.push(ids());
    await inserts;
    seen.push(ids());
    const [during, after] = await Promise.all(seen);
    expect([0, 2]).toContain(during?.length);
    expect(after).toEqual([1, 2]);
  });

  test('work after a commit runs in its order, when the database is free again', async () => {
    const order: unknown[] = [];
    await db().transaction(async (tx) => {
      tx.afterCommit(async () => {
        await sleep(5);
        order.push(await ids());
      });
      tx.afterCommit(() => void order.push('second'));
      await tx.query({ text: 'insert into item values (1)' });
      order.push('work');
    });
    expect(order).toEqual(['work', [1], 'second']);
  });

  test('work after a commit does not run after a rollback', async () => {
    const ran: string[] = [];
    await db()
      .transaction(async (tx) => {
        tx.afterCommit(() => void ran.push('ran'));
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(ran).toEqual([]);
  });

  test('a failure after the commit is logged, and the rest runs', async () => {
    const ran: string[] = [];
    await db().transaction(async (tx) => {
      tx.afterCommit(() => {
        throw new Error('broken cache');
      });
      tx.afterCommit(() => void ran.push('second'));
    });
    expect(ran).toEqual(['second']);
    expect(test1.problems.map(({ error }) => String(error))).toEqual(['Error: broken cache']);
  });

  const failWith = (state: string): string =>
    `do $$ begin raise exception 'refused' using errcode = '${state}'; end $$`;

  test.each(['40001', '40P01'])('a transaction runs again from its start after SQLSTATE %s', async (state) => {
    const ran: number[] = [];
    let attempts = 0;
    await db().transaction(async (tx) => {
      attempts += 1;
      const attempt = attempts;
      tx.afterCommit(() => void ran.push(attempt));
      await tx.query({ text: 'insert into item values (1)' });
      if (attempt < 3) await tx.query({ text: failWith(state) });
    });
    expect(attempts).toBe(3);
    expect(ran).toEqual([3]);
    expect(await ids()).toEqual([1]);
  });

  test('a transaction ends with a Conflict when every attempt fails', async () => {
    let attempts = 0;
    const work = db().transaction(async (tx) => {
      attempts += 1;
      await tx.query({ text: failWith('40001') });
    });
    await expect(work).rejects.toMatchObject({ status: 409 });
    expect(attempts).toBe(MAX_ATTEMPTS);
  });

  test('a transaction that fails for another reason runs once', async () => {
    let attempts = 0;
    const work = db().transaction(async (tx) => {
      attempts += 1;
      await tx.query({ text: 'select 1/0' });
    });
    await expect(work).rejects.toThrow(/division by zero/);
    expect(attempts).toBe(1);
  });

  test('a script is applied as a whole or not at all', async () => {
    await expect(db().script('insert into item values (1); select 1/0')).rejects.toThrow(/division by zero/);
    expect(await ids()).toEqual([]);
    await db().script('insert into item values (1); insert into item values (2)');
    expect(await ids()).toEqual([1, 2]);
  });

  test('notifications arrive after the commit, until listening ends', async () => {
    const got: string[] = [];
    const stop = await db().listen('changes', (payload) => void got.push(payload));
    await db().query({ text: `select pg_notify('changes', 'one')` });
    await db().transaction(async (tx) => {
      await tx.query({ text: `select pg_notify('changes', 'two')` });
      await sleep(30);
      expect(got).not.toContain('two');
    });
    await expect.poll(() => got).toEqual(['one', 'two']);
    await stop();
    await db().query({ text: `select pg_notify('changes', 'three')` });
    await sleep(50);
    expect(got).toEqual(['one', 'two']);
  });

  test('a handler of notifications that fails stops nothing', async () => {
    const got: string[] = [];
    const stops = [
      await db().listen('changes', () => {
        throw new Error('bad handler');
      }),
      await db().listen('changes', (payload) => void got.push(payload)),
    ];
    await db().query({ text: `select pg_notify('changes', 'one')` });
    await expect.poll(() => got).toEqual(['one']);
    expect(test1.problems).toHaveLength(1);
    for (const stop of stops) await stop();
  });

  test('a channel whose name needs quotes is rejected', async () => {
    await expect(db().listen('a; drop table item', () => undefined)).rejects.toThrow(/name for a channel/);
  });

  test('the database returns its version, name and size', async () => {
    expect(await db().figures()).toEqual({
      engine,
      version: expect.stringMatching(/^\d+/),
      name: expect.any(String),
      bytes: expect.any(Number),
    });
  });
});
