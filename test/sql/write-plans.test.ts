import { afterAll, beforeAll, expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { tokenOf } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite, type Who } from '../support/site.ts';

/** Objects of the grown site, and rows of what is kept of transactions. */
const GROWN = 3000;

/** Tables that grow with the site or with what was written lately. */
const GROWING = [
  ...['content', 'catalog', 'catalog_value', 'reference', 'version', 'workflow_history', 'audit_entry'],
  ...['site_change', 'site_transaction', 'site_transaction_step'],
];

/** The site grows without statistics, as it does between two looks of the database. */
const GROW = `insert into content (uid, parent, name, path, position, type, review_state, owner, created, modified, fields)
    select 'grown-' || n, f.oid, 'grown-' || n, f.path || '/grown-' || n, n, 'Page', 'published', 'admin', now(), now(),
      jsonb_build_object('title', 'Grown ' || n)
    from content f cross join generate_series(1, ${GROWN}) n where f.path = '/folder';
  insert into catalog (oid, allowed) select oid, '{Anonymous}' from content where name like 'grown-%';
  insert into version (content, number, at, actor) select oid, 0, created, owner from content where name like 'grown-%';
  insert into workflow_history (content, workflow, actor, review_state, at)
    select oid, 'simple_publication_workflow', owner, 'published', created from content where name like 'grown-%';
  insert into site_transaction (actor, description, path, size)
    select owner, 'Created', path, 10 from content where name like 'grown-%';
  insert into site_transaction_step (transaction, number, action, content, path, data)
    select t.id, 1, 'created', c.oid, c.path, '{}' from content c join site_transaction t using (path) where c.name like 'grown-%';
  insert into audit_entry (actor, action, content, path, name, data)
    select owner, 'content.created', oid, path, '', '{}' from content where name like 'grown-%';
  insert into site_change (xid, objects, containers)
    select (n || '')::xid8, '{1}', '{1}' from generate_series(1, ${GROWN}) n;`;

describeEachEngine('plans of writes', (engine) => {
  let site: TestSite;
  let admin: Who;

  beforeAll(async () => {
    site = await startTestSite(engine, { environment: { RESPONSE_CACHE_MB: '0', ROW_CACHE_MB: '0' } });
    admin = await tokenOf(site, 'admin');
    await make(site.kernel, '/', { '@type': 'Folder', id: 'folder' }, { state: 'published' });
  });
  afterAll(() => site?.close());

  async function send(status: number, method: string, path: string, json?: Record<string, unknown>): Promise<void> {
    const answer = await site.request(method, path, { as: admin, ...(json ? { json } : {}) });
    expect(answer.status, answer.text).toBe(status);
  }

  async function write(id: string): Promise<void> {
    await send(201, 'POST', '/folder', { '@type': 'Page', id, title: id });
    await send(204, 'PATCH', `/folder/${id}`, { title: `${id} again` });
    await send(200, 'POST', `/folder/${id}/@workflow/publish`);
  }

  async function remove(id: string): Promise<void> {
    await send(204, 'DELETE', `/folder/${id}`);
  }

  /** Rows that were found by reading a table from one end to the other, by the tables. */
  async function rowsOfWholeReads(): Promise<Record<string, number>> {
    await site.kernel.db.query({ text: 'select pg_stat_force_next_flush()' });
    const rows = await site.kernel.db.query<{ table: string; scans: number }>({
      text: 'select relname as table, seq_tup_read as scans from pg_stat_user_tables where relname = any($1)',
      values: [GROWING],
    });
    return Object.fromEntries(rows.map(({ table, scans }) => [table, scans]));
  }

  it('a write reads no more rows on a large site, though it was planned for a small one', async () => {
    for (let round = 1; round <= 12; round += 1) await write(`early-${round}`);
    await site.kernel.db.script(GROW);
    // Until the writes have doubled, plans may be those of the small site.
    for (let round = 1; round <= 40; round += 1) await write(`later-${round}`);
    const before = await rowsOfWholeReads();
    expect(Object.keys(before).sort()).toEqual([...GROWING].sort());
    for (let round = 1; round <= 3; round += 1) await write(`last-${round}`);
    expect(await rowsOfWholeReads()).toEqual(before);
  });

  it('nor once there are statistics, also for a deletion', async () => {
    await site.kernel.db.script('analyze');
    for (let round = 1; round <= 7; round += 1) await write(`analyzed-${round}`);
    for (let round = 1; round <= 6; round += 1) await remove(`analyzed-${round}`);
    const before = await rowsOfWholeReads();
    await write('analyzed-last');
    await remove('analyzed-7');
    expect(await rowsOfWholeReads()).toEqual(before);
  });
});
