import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { ChangeWatch } from '../../src/storage/change-watch.ts';
import { make } from '../content/make.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine, engines } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';
import { withDatabaseName } from '../support/with-database-name.ts';

type TestKernel = Awaited<ReturnType<typeof createTestKernel>>;

const touch = { text: `update content set modified = now() where path = '/'` };
const rowCount = async ({ kernel }: TestKernel) =>
  (await kernel.db.query<{ count: number }>({ text: 'select count(*)::int as count from site_change' }))[0]?.count ?? 0;

describeEachEngine('changes of a site', (engine) => {
  let site: TestKernel;
  let counting: CountingDatabase;
  let time = 0;
  let watch: ChangeWatch;

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
    watch = new ChangeWatch(site.kernel.db, () => time);
  });

  it('a change ends the generation at its commit, not before, and never after a rollback', async () => {
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

  it('a change outside of a transaction ends the generation, too', async () => {
    const first = await watch.current();
    await site.kernel.db.query(touch);
    expect(await watch.current()).toBeGreaterThan(first);
  });

  it('a statement that changes nothing is no change', async () => {
    const first = await watch.current();
    await site.kernel.db.query({ text: `update content set modified = now() where path = '/none'` });
    expect(await watch.current()).toBe(first);
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
    expect(watch.changesSince(watch.generation)).toEqual({ objects: new Set(), containers: new Set() });
    const made = watch.generation;
    await site.kernel.db.query({ text: `update configuration set data = data` });
    await watch.current();
    expect(watch.changesSince(made)).toBe('anything');
    expect(watch.changesSince(before - 1000)).toBe('anything');
  });

  it('who changes more than fifty objects has changed anything', async () => {
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

  it('a change is told that was undone with its savepoint and then made all the same', async () => {
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
  ])('the generation ends by itself when content %s', async (_what, column) => {
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

  it('the generation ends by itself when a lock expires', async () => {
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
    expect(seen).toEqual(engine === 'pglite' ? [] : ['site-moment']);
  });

  it('rows about changes are removed once every process must have seen them', async () => {
    for (let change = 0; change < 10; change += 1) await site.kernel.db.query(touch);
    expect(await rowCount(site)).toBeGreaterThanOrEqual(10);
    // With one check a minute, the changes of five minutes remain. Other transactions on the server may delay the removal for a
    // short time.
    await expect
      .poll(async () => {
        time += 61_000;
        await site.kernel.db.query(touch);
        await watch.current();
        return rowCount(site);
      })
      .toBeLessThan(8);
    const old = new ChangeWatch(site.kernel.db, () => time);
    await old.current();
    await site.kernel.db.query(touch);
    const before = old.generation;
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
    const before = watch.generation;
    expect(await watch.current()).toBeGreaterThan(before);
  });

  it('every table is listed as one that responses depend on or as one that they do not', async () => {
    const rows = await site.kernel.db.query<{ name: string; noted: boolean }>({
      text: `select relname as name, exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = relname || '_change') as noted
        from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
    });
    // No cached response depends on these tables (`Service.cacheable`).
    expect(rows.filter(({ noted }) => !noted).map(({ name }) => name)).toEqual(UNSEEN);
  });
});

const UNSEEN = [
  'access_token_use',
  'account_login',
  'audit_entry',
  'cache_purge',
  'cache_purge_cursor',
  'cache_purge_token',
  // Written with the rows of the catalog, in one statement.
  'catalog_value',
  'comment',
  'content_rule',
  'content_rule_assignment',
  'content_rule_failure',
  'email_code',
  // Its texts reach responses through the rows of the catalog.
  'file_text',
  'form_submission',
  'import_progress',
  'installed_profile',
  'job',
  'login_failure',
  // No response with a provider is kept.
  'login_provider_secret',
  'mail_outbox',
  'model_use',
  'notification',
  'password_reset',
  // No response with a link is kept.
  'preview_link',
  'preview_link_use',
  'provider_account',
  'recycled',
  'recycled_object',
  'recycled_row',
  'redirect',
  'reference',
  'scheduled_job',
  'scheduled_transition',
  'schema_migration',
  'secret_key',
  'site_change',
  'site_transaction',
  'site_transaction_step',
  'spent_login',
  'totp',
  'upload',
  'upload_part',
  'version',
  'visitor_request',
  'webhook_outbox',
  'workflow_history',
  'write_lease',
];

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
      const watch = new ChangeWatch(site.kernel.db);
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
    const watch = new ChangeWatch(site.kernel.db, () => time);
    const first = await watch.current();
    time = 239_000;
    expect(await watch.current()).toBe(first);
    time += 241_000;
    expect(await watch.current()).toBeGreaterThan(first);
  });
});
