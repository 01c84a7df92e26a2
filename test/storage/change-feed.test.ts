import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { ChangeFeed } from '../../src/core/cache/change-feed.ts';
import { isUnread, makeChangeTriggers, type WatchedTable } from '../../src/core/cache/change-triggers.ts';
import { removeContent } from '../../src/core/content/remove-content.ts';
import { forgetToken, keepToken } from '../../src/core/people/statements/tokens.ts';
import { KERNEL_FEATURES } from '../../src/core/services/feature.ts';
import type { ChangedTags } from '../../src/database/cache-tags.ts';
import { make } from '../content/make.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine, engines } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';
import { withDatabaseName } from '../support/with-database-name.ts';
import { ADMIN } from '../tree/people.ts';

type TestKernel = Awaited<ReturnType<typeof createTestKernel>>;

const touch = { text: `update content set modified = now() where path = '/'` };
const rowCount = async ({ kernel }: TestKernel) =>
  (await kernel.db.query<{ count: number }>({ text: 'select count(*)::int as count from site_change' }))[0]?.count ?? 0;

describeEachEngine('changes of a site', (engine) => {
  let site: TestKernel;
  let counting: CountingDatabase;
  let time = 0;
  let watch: ChangeFeed;

  beforeAll(async () => {
    site = await createTestKernel(engine, {
      wrap: (db) => {
        counting = new CountingDatabase(db);
        return counting;
      },
    });
  });
  afterAll(() => site?.close());
  beforeEach(() => {
    time = 0;
    watch = new ChangeFeed(site.kernel.db, () => time);
  });

  it('a change ends the version at its commit, not before, and never after a rollback', async () => {
    const first = await watch.current();
    expect(await watch.current()).toBe(first);
    await expect(
      site.kernel.db.transaction(async (tx) => {
        await tx.query(touch);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await watch.current()).toBe(first);
    await site.kernel.db.transaction((tx) => tx.query(touch));
    const second = await watch.current();
    expect(second).toBeGreaterThan(first);
    expect(await watch.current()).toBe(second);
  });

  it('a change outside of a transaction ends the version, too', async () => {
    const first = await watch.current();
    await site.kernel.db.query(touch);
    expect(await watch.current()).toBeGreaterThan(first);
  });

  it('a statement that changes nothing is no change', async () => {
    const first = await watch.current();
    await site.kernel.db.query({ text: `update content set modified = now() where path = '/none'` });
    expect(await watch.current()).toBe(first);
  });

  it.each([
    `delete from issued_token where id = 'none'`,
    `update account set fullname = '' where id = 'none'`,
    `delete from configuration where id = 'none'`,
  ])('a statement without rows is no change: %s', async (text) => {
    const first = await watch.current();
    await site.kernel.db.query({ text });
    expect(await watch.current()).toBe(first);
  });

  it('the removal of an object changes this object and the list of its container', async () => {
    const oids = async () =>
      (
        await site.kernel.db.query<{ oid: number }>({
          text: `select oid from content where path in ('/', '/gone') order by path`,
        })
      ).map(({ oid }) => oid);
    const path = await make(site.kernel, '/', { id: 'gone' });
    const [root, gone] = await oids();
    const before = await watch.current();
    await removeContent(site.kernel, { caller: ADMIN, path, lockToken: undefined });
    await watch.current();
    expect(watch.changesSince(before)).toEqual({ objects: new Set([gone]), containers: new Set([root]) });
  });

  it('a login changes nothing, and the end of a session everything', async () => {
    const token = { id: 'one', account: 'admin', issued: new Date(), expires: null, network: '', agent: '' };
    const first = await watch.current();
    await keepToken(site.kernel.db, token, new Date());
    expect(await watch.current()).toBe(first);
    await forgetToken(site.kernel.db, 'one');
    await watch.current();
    expect(watch.changesSince(first)).toBe('anything');
  });

  it('a change of content tells the objects and the lists of children that it touches', async () => {
    const oidOf = async (path: string) =>
      (
        await site.kernel.db.query<{ oid: number }>({ text: 'select oid from content where path = $1', values: [path] })
      )[0]?.oid ?? 0;
    await make(site.kernel, '/', { '@type': 'Folder', id: 'told' });
    const container = await oidOf('/told');
    const before = await watch.current();
    await make(site.kernel, '/told', { id: 'page' });
    await watch.current();
    const page = await oidOf('/told/page');
    expect(watch.changesSince(before)).toEqual({ objects: new Set([page]), containers: new Set([container]) });
    expect(watch.changesSince(watch.version)).toEqual({ objects: new Set(), containers: new Set() });
    const made = watch.version;
    await site.kernel.db.query({ text: `update configuration set data = data` });
    await watch.current();
    expect(watch.changesSince(made)).toBe('anything');
    expect(watch.changesSince(before - 1000)).toBe('anything');
  });

  it('a transaction that changes more than fifty objects counts as a change of everything', async () => {
    await site.kernel.db.transaction(async (tx) => {
      for (let page = 0; page < 51; page += 1)
        await tx.query({
          text: `insert into content (uid, parent, name, path, type, owner, position, created, modified, fields) select 'many-' || $1, oid, 'many-' || $1, '/many-' || $1, 'Page', 'admin', 0, now(), now(), '{}' from content where path = '/'`,
          values: [page],
        });
    });
    const before = await watch.current();
    await site.kernel.db.query({ text: `update content set modified = now() where path like '/many-%'` });
    await watch.current();
    expect(watch.changesSince(before)).toBe('anything');
    const [noted] = await site.kernel.db.query<{ most: number }>({
      text: 'select max(count)::int as most from (select count(*) from site_change group by xid) rows',
    });
    expect(noted?.most).toBeLessThanOrEqual(51);
  });

  it('a change that was undone with its savepoint and then made again is reported', async () => {
    await make(site.kernel, '/', { id: 'twice' });
    const [page] = await site.kernel.db.query<{ oid: number; parent: number }>({
      text: `select oid, parent from content where path = '/twice'`,
    });
    const before = await watch.current();
    await site.kernel.db.transaction(async (tx) => {
      const change = { text: `update content set modified = now() where path = '/twice'` };
      await tx.query({ text: 'savepoint once' });
      await tx.query(change);
      await tx.query({ text: 'update configuration set data = data' });
      await tx.query({ text: 'rollback to savepoint once' });
      await tx.query(change);
      await tx.query(change);
    });
    await watch.current();
    expect(watch.changesSince(before)).toEqual({
      objects: new Set([page?.oid]),
      containers: new Set([page?.parent]),
    });
  });

  it('a change of the catalog tells the object and the list that it is in', async () => {
    await make(site.kernel, '/', { id: 'listed' });
    const [page] = await site.kernel.db.query<{ oid: number; parent: number }>({
      text: `select oid, parent from content where path = '/listed'`,
    });
    const before = await watch.current();
    await site.kernel.db.query({ text: `update catalog set subjects = '{a}' where oid = $1`, values: [page?.oid] });
    await watch.current();
    expect(watch.changesSince(before)).toEqual({
      objects: new Set([page?.oid]),
      containers: new Set([page?.parent]),
    });
  });

  it('a failed login is no change, because no response depends on it', async () => {
    const first = await watch.current();
    await site.kernel.db.query({
      text: 'insert into login_failure (account, address) values ($1, $2)',
      values: ['x', 'y'],
    });
    expect(await watch.current()).toBe(first);
  });

  it.each([
    ['is published', 'effective'],
    ['expires', 'expires'],
  ])('the version ends by itself when content %s', async (_what, column) => {
    const path = await make(site.kernel, '/', { id: column });
    await site.kernel.db.query({
      text: `update content set ${column} = now() + interval '1 hour' where path = $1`,
      values: [path],
    });
    const first = await watch.current();
    time = 3_590_000;
    // A process that has not checked for so long trusts no cached response anyway when other processes write.
    if (engine === 'pglite') expect(await watch.current()).toBe(first);
    time = 3_600_100;
    expect(await watch.current()).toBeGreaterThan(first);
  });

  it('the version ends by itself when a lock expires', async () => {
    await make(site.kernel, '/', { id: 'locked' });
    const lock = { token: 't', creator: 'admin', created: new Date().toISOString(), timeout: 600, stealable: true };
    await site.kernel.db.query({
      text: `update content set lock = $1 where path = '/locked'`,
      values: [JSON.stringify(lock)],
    });
    const first = await watch.current();
    time = 230_000;
    expect(await watch.current()).toBe(first);
    time = 601_000;
    expect(await watch.current()).toBeGreaterThan(first);
  });

  it('concurrent requests share one check for changes, and a database with one process needs none', async () => {
    await watch.current();
    const seen = await counting.during(() => Promise.all(Array.from({ length: 50 }, () => watch.current())));
    expect(seen).toEqual(engine === 'pglite' ? [] : ['site-poll']);
  });

  it('rows about changes are removed once every process must have seen them', async () => {
    for (let change = 0; change < 10; change += 1) await site.kernel.db.query(touch);
    expect(await rowCount(site)).toBeGreaterThanOrEqual(10);
    // With one check a minute, the changes of five minutes remain. Other transactions on the server may delay the removal for a
    // short time.
    await expect
      .poll(
        async () => {
          time += 61_000;
          await site.kernel.db.query(touch);
          await watch.current();
          return rowCount(site);
        },
        { timeout: 10_000 },
      )
      .toBeLessThan(8);
    const old = new ChangeFeed(site.kernel.db, () => time);
    await old.current();
    await site.kernel.db.query(touch);
    const before = old.version;
    expect(await old.current()).toBeGreaterThan(before);
  });

  it('the check for changes works again after the database has failed', async () => {
    await watch.current();
    await site.kernel.db.query({ text: 'alter table site_change rename to gone' });
    try {
      await expect(watch.current()).rejects.toThrow();
    } finally {
      await site.kernel.db.query({ text: 'alter table gone rename to site_change' });
    }
    await site.kernel.db.query(touch);
    const before = watch.version;
    expect(await watch.current()).toBeGreaterThan(before);
  });

  it('a change of rows that hang on content reports their objects, and nothing when no row changes', async () => {
    await make(site.kernel, '/', { id: 'hung-on' });
    const [page] = await site.kernel.db.query<{ oid: number }>({
      text: `select oid from content where path = '/hung-on'`,
    });
    const changedBy = async (text: string): Promise<ChangedTags> => {
      const before = await watch.current();
      await site.kernel.db.query({ text });
      await watch.current();
      return watch.changesSince(before);
    };
    const ofPage = { objects: new Set([page?.oid]), containers: new Set() };
    const alias = `insert into redirect (path, target) select '/old-' || n, oid from content, generate_series(1, 60) n where path = '/hung-on'`;
    expect(await changedBy(alias)).toEqual(ofPage);
    expect(await changedBy(`update redirect set manual = true where path = '/old-1'`)).toEqual(ofPage);
    const moved = `update redirect set target = (select oid from content where path = '/') where path = '/old-1'`;
    expect(await changedBy(moved)).toEqual({
      objects: new Set([page?.oid, await rootOf(site)]),
      containers: new Set(),
    });
    expect(await changedBy(`delete from redirect where path = '/old-2'`)).toEqual(ofPage);
    const nothing = { objects: new Set(), containers: new Set() };
    expect(await changedBy(`delete from redirect where path = '/old-2'`)).toEqual(nothing);
    const outside = `insert into redirect (path, target_url) values ('/away', 'https://example.org')`;
    expect(await changedBy(outside)).toBe('anything');
    const many = `insert into redirect (path, target) select '/older-' || n, oid from content, generate_series(1, 1001) n where path = '/hung-on'`;
    expect(await changedBy(many)).toEqual(ofPage);
    expect(await changedBy('truncate redirect')).toBe('anything');
    const none = { objects: new Set([0]), containers: new Set() };
    const file = `insert into file_text (hash, format) values ('\\xab', 'pdf')`;
    expect(await changedBy(file)).toEqual(nothing);
    expect(await changedBy('update file_text set attempts = 1')).toEqual(nothing);
    expect(await changedBy(`update file_text set text = 'words'`)).toEqual(none);
    expect(await changedBy('delete from file_text')).toEqual(none);
  });

  it('every table is declared by a feature, and has the triggers that it needs', async () => {
    const declared = site.kernel.slots.get(KERNEL_FEATURES).flatMap(({ tables = [] }) => tables);
    expect(await makeChangeTriggers(site.kernel.db, declared)).toEqual([]);
    const rows = await site.kernel.db.query<{ name: string }>({
      text: `select relname as name from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace
        and not exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) order by relname`,
    });
    const unread = declared.filter(isUnread).map(({ name }) => name);
    expect(rows.map(({ name }) => name)).toEqual(unread.filter((name) => name !== 'feature_migration').sort());
  });

  it('a trigger that is missing or another one is made, and one that is right stays', async () => {
    const { db } = site.kernel;
    const triggers = () =>
      db.query({
        text: `select tgname as name, tgtype as type, tgfoid::regproc::text as calls from pg_trigger
          where tgrelid in ('comment'::regclass, 'account'::regclass) and not tgisinternal order by tgname`,
      });
    const right = await triggers();
    await db.script(
      'drop trigger comment_noted on comment; create or replace trigger account_change after insert on account execute function note_site_change()',
    );
    const tables: WatchedTable[] = [
      { name: 'comment', changes: { object: 'content' } },
      { name: 'account', changes: 'anything' },
    ];
    await Promise.all([makeChangeTriggers(db, tables), makeChangeTriggers(db, tables)]);
    expect(await triggers()).toEqual(right);
  });

  it.each<[WatchedTable, string]>([
    [{ name: 'gone', changes: 'anything' }, 'The table "gone" is not in the database'],
    [{ name: 'comment', changes: { object: 'page' } }, 'The table "comment" has no column "page"'],
    [{ name: 'comment', changes: { object: 'body' } }, 'The table "comment" has no column "body" with numbers'],
    [{ name: 'job', changes: { noted: 'it is said so' } }, 'The table "job" has no trigger that notes its changes'],
    [{ name: 'a"b', changes: 'anything' }, 'The table "a"b" has a name that is no plain one'],
  ])('a table that is declared wrongly is refused: %j', async (table, problem) => {
    await expect(makeChangeTriggers(site.kernel.db, [table])).rejects.toThrow(problem);
  });
});

const rootOf = async ({ kernel }: TestKernel): Promise<number | undefined> =>
  (await kernel.db.query<{ oid: number }>({ text: `select oid from content where path = '/'` }))[0]?.oid;

describe.skipIf(!engines().includes('postgresql'))('changes by several processes', () => {
  let site: TestKernel;
  beforeAll(async () => {
    site = await createTestKernel('postgresql');
  });
  afterAll(() => site?.close());

  it('another process sees a change at its commit, however long ago the transaction began', async () => {
    const [{ name } = { name: '' }] = await site.kernel.db.query<{ name: string }>({
      text: 'select current_database() as name',
    });
    const client = new pg.Client({
      connectionString: withDatabaseName(inject('templates').postgresql?.url ?? '', name),
    });
    await client.connect();
    try {
      const watch = new ChangeFeed(site.kernel.db);
      await make(site.kernel, '/', { id: 'meanwhile' });
      await client.query('begin');
      await client.query(touch.text);
      const first = await watch.current();
      expect(await watch.current()).toBe(first);
      // Another transaction begins later and ends earlier.
      await site.kernel.db.query({ text: `update content set layout = 'view' where path = '/meanwhile'` });
      const second = await watch.current();
      expect(second).toBeGreaterThan(first);
      await client.query('commit');
      expect(await watch.current()).toBeGreaterThan(second);
    } finally {
      await client.end();
    }
  });

  it('after a long silence everything counts as changed', async () => {
    let time = 0;
    const watch = new ChangeFeed(site.kernel.db, () => time);
    const first = await watch.current();
    time = 239_000;
    expect(await watch.current()).toBe(first);
    time += 241_000;
    expect(await watch.current()).toBeGreaterThan(first);
  });
});
