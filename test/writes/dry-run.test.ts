import { afterAll, beforeAll, expect, it } from 'vitest';
import { totalsFor } from '../../src/core/cache/kept-totals.ts';
import { sharingTransaction } from '../../src/database/shared-transaction.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

describeEachEngine('a dry run', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine, { environment: { SMTP_URL: 'smtp://127.0.0.1:9' } });
  });
  afterAll(() => site.close());
  const send = (method: string, path: string, json?: Json, as: Who = 'admin') =>
    site.request(method, path, { as, ...(json === undefined ? {} : { json }) });
  const ofContent = (changes: Json[]) => changes.filter(({ type }) => type === 'content');

  it('a creation says what would be there, and nothing is', async () => {
    const { status, body, headers } = await send('POST', '/?dry_run=1', { '@type': 'Page', title: 'Not yet' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ dry_run: true, title: 'Not yet', '@type': 'Page' });
    expect(headers.get('location')).toBeNull();
    const [change] = ofContent(body.changes);
    expect(change).toMatchObject({ action: 'created', path: '/not-yet', text: 'Created' });
    expect(change.fields).toContainEqual({ field: 'title', change: 'added', after: 'Not yet' });
    expect((await send('GET', '/not-yet')).status).toBe(404);
    expect((await send('POST', '/?dry_run=true', { '@type': 'Page', title: 'Not yet' })).body['@id']).toBe(body['@id']);
  });

  it('rows are counted for the dry run alone, also right after other writes', async () => {
    const page = await send('POST', '/', { '@type': 'Page', title: 'Counted' });
    await send('POST', '/', { '@type': 'Page', title: 'Counted as well' });
    const path = new URL(page.body['@id']).pathname;
    const { body } = await send('PATCH', `${path}?dry_run=1`, { title: 'Counted once' });
    const rows = (name: string) => body.changes.find(({ type, table }: Json) => type === 'rows' && table === name);
    expect(rows('content')).toMatchObject({ inserted: 0, updated: 1, removed: 0 });
    expect(rows('catalog')).toMatchObject({ inserted: 0, updated: 1, removed: 0 });
    expect(rows('site_transaction')).toMatchObject({ inserted: 1, removed: 0 });
  });

  it('reads of a dry run leave nothing in the totals of the process', async () => {
    const { db, slots } = site.kernel;
    expect(totalsFor(slots, db)).toBeDefined();
    await db.transaction(async (tx) => {
      expect(totalsFor(slots, tx)).toBeUndefined();
      expect(totalsFor(slots, sharingTransaction(db, tx))).toBeUndefined();
    });
  });

  it('a change is listed by fields and by blocks', async () => {
    const blocks = { a: { '@type': 'slate', plaintext: 'One' }, b: { '@type': 'slate', plaintext: 'Two' } };
    const page = await send('POST', '/', {
      '@type': 'Page',
      title: 'Blocks',
      blocks,
      blocks_layout: { items: ['a', 'b'] },
    });
    expect(page.status).toBe(201);
    const path = new URL(page.body['@id']).pathname;
    const change = {
      title: 'Other blocks',
      blocks: { a: blocks.a, b: { '@type': 'slate', plaintext: '2' }, c: { '@type': 'slate', plaintext: 'Three' } },
      blocks_layout: { items: ['c', 'a', 'b'] },
    };
    const { status, body } = await send('PATCH', `${path}?dry_run=1`, change);
    expect(status).toBe(200);
    const [{ fields, text }] = ofContent(body.changes);
    expect(text).toContain('Edited');
    expect(fields.map(({ field, block, change: kind }: Json) => [field, block, kind])).toEqual(
      expect.arrayContaining([
        ['title', undefined, 'changed'],
        ['blocks', 'b', 'changed'],
        ['blocks', 'c', 'added'],
        ['blocks_layout', undefined, 'changed'],
      ]),
    );
    expect(fields.some(({ block }: Json) => block === 'a')).toBe(false);
    expect((await send('GET', path)).body.title).toBe('Blocks');
  });

  it('a move has the old address, a transition its states, a removal its object', async () => {
    await send('POST', '/', { '@type': 'Page', title: 'Mover' });
    const moved = await send('PATCH', '/mover?dry_run=1', { id: 'moved' });
    expect(ofContent(moved.body.changes)[0]).toMatchObject({ action: 'moved', path: '/moved', from: '/mover' });
    expect(moved.body.changes).toContainEqual(
      expect.objectContaining({ type: 'address', change: 'added', address: '/mover' }),
    );
    const published = await send('POST', '/mover/@workflow/publish?dry_run=1', {});
    expect(ofContent(published.body.changes)[0]).toMatchObject({
      action: 'workflow',
      state: { before: 'private', after: 'published' },
    });
    const removed = await send('DELETE', '/mover?dry_run=1');
    expect([removed.status, ofContent(removed.body.changes)[0].action]).toEqual([200, 'deleted']);
    expect((await send('GET', '/mover')).body.review_state).toBe('private');
  });

  it('a dry run is refused in the words of the real write, also under a condition', async () => {
    const real = await send('POST', '/', { '@type': 'No such type' });
    const dry = await send('POST', '/?dry_run=1', { '@type': 'No such type' });
    expect([dry.status, dry.body]).toEqual([real.status, real.body]);
    expect((await send('POST', '/?dry_run=1', { '@type': 'Page', title: 'X' }, 'anonymous')).status).toBe(401);
    const { status } = await site.request('PATCH', '/?dry_run=1', {
      json: { title: 'X' },
      headers: { 'If-Match': '"x"' },
    });
    expect(status).toBe(412);
  });

  it('another value, or another way to write the name, is an error and no write', async () => {
    for (const query of [
      'dry_run=yes',
      'dry_run=',
      'dry_run',
      'dry_run=1&dry_run=0',
      'dryRun=1',
      'dry-run=1',
      'dry%5Frun=2',
      'dry_run:boolean=1',
    ]) {
      const { status } = await send('POST', `/?${query}`, { '@type': 'Page', title: 'Misspelt' });
      expect([query, status]).toEqual([query, 400]);
    }
    expect((await send('POST', '/?dry%5Frun=1', { '@type': 'Page', title: 'Misspelt' })).body.dry_run).toBe(true);
    expect((await send('GET', '/misspelt')).status).toBe(404);
    expect((await send('POST', '/?dry_run=0', { '@type': 'Page', title: 'Spelt' })).body.dry_run).toBeUndefined();
    expect((await send('GET', '/spelt')).status).toBe(200);
  });

  it('a mail that would leave is listed, and does not', async () => {
    const count = async () => (await site.kernel.db.query({ text: `select from queue_item` })).length;
    await send('PATCH', '/@controlpanels/mail', { email_from_address: 'site@example.org' });
    const before = await count();
    const message = { name: 'Ann', from: 'ann@example.org', subject: 'Hello', message: 'Hello!' };
    const { status, body } = await send('POST', '/@email-notification?dry_run=1', message);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.changes).toContainEqual(
      expect.objectContaining({ type: 'outgoing', kind: 'mail', to: ['site@example.org'] }),
    );
    expect(await count()).toBe(before);
  });

  it('content that the caller may not view is neither named nor shown', async () => {
    const user = { username: 'visitor', password: 'visitor-password-1', email: 'visitor@example.org' };
    await send('POST', '/@users', user);
    const as = { login: 'visitor', password: user.password };
    await send('POST', '/', { '@type': 'Page', title: 'Shared' });
    await send('POST', '/shared/@sharing', {
      entries: [{ id: 'visitor', roles: { Editor: true, Reader: true }, type: 'user' }],
    });
    const { status, body } = await send('PATCH', '/shared?dry_run=1', { title: 'Mine' }, as);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.changes.map(({ type }: Json) => type)).toEqual(['content']);
  });

  it('logins, tokens and uploads say that they cannot be rehearsed', async () => {
    const { status, body } = await send('POST', '/@login?dry_run=1', site.admin, 'anonymous');
    expect([status, body.message]).toEqual([
      400,
      'A dry run is not possible here. Its response has a secret that is not kept.',
    ]);
    expect((await send('POST', '/@access-tokens?dry_run=1', { name: 'x' })).status).toBe(400);
    expect((await send('POST', '/@tus-upload?dry_run=1')).status).toBe(400);
  });

  it('a file that is sent is stored nowhere', async () => {
    const data = Buffer.from('A text that no other test has stored.').toString('base64');
    const list = async () => {
      const found: string[] = [];
      for await (const { hash } of site.kernel.blobs.list()) found.push(hash);
      return found.sort();
    };
    const before = await list();
    const file = { data, encoding: 'base64', filename: 'a.txt', 'content-type': 'text/plain' };
    const { status, body } = await send('POST', '/?dry_run=1', { '@type': 'File', title: 'A', file });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.file.size).toBe(37);
    expect(await list()).toEqual(before);
  });
});
