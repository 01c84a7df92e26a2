import { beforeAll, expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { addPerson, tokenOf } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { allSince, changesOf, now, short } from './client.ts';

describeEachEngine('the feed of changes', (engine) => {
  const site = useTestSite(engine);
  let admin: Who;
  let reader: Who;

  beforeAll(async () => {
    admin = await tokenOf(site, 'admin');
    reader = await addPerson(site, { id: 'reader' });
  });

  const done = async (method: string, path: string, json?: object): Promise<void> => {
    const response = await site.request(method, path, { as: admin, ...(json && { json }) });
    expect(response.status, response.text).toBeLessThan(300);
  };
  const heard = async (as: Who, since: string, query?: Record<string, string>) =>
    (await allSince(site, as, since, query)).items.map(short);

  it('A reader gets each event of what it sees, in order, and what it sees no more as a removal.', async () => {
    const [all, some] = [await now(site, admin), await now(site, 'anonymous')];
    await done('POST', '/', { '@type': 'Folder', id: 'news', title: 'News' });
    await done('POST', '/news', { '@type': 'Page', id: 'a', title: 'A' });
    await done('POST', '/news/a/@workflow/publish');
    await done('PATCH', '/news/a', { title: 'B', description: 'C' });
    await done('PATCH', '/news/a', { id: 'b' });
    await done('POST', '/news/b/@workflow/retract');
    await done('DELETE', '/news');
    expect(await heard(admin, all)).toEqual([
      'created /news',
      'created /news/a',
      'state /news/a private→published',
      'changed /news/a title,description',
      'moved /news/a → /news/b',
      'state /news/b published→private',
      'removed /news',
      'removed /news/b',
    ]);
    expect(await heard('anonymous', some)).toEqual([
      'created /news/a',
      'changed /news/a title,description',
      'moved /news/a → /news/b',
      'removed /news/b',
    ]);
  });

  it('Objects below a container follow what is done to it.', async () => {
    await make(site.kernel, '/', { '@type': 'Folder', id: 'top' }, { state: 'published' });
    await make(site.kernel, '/top', { id: 'open' }, { state: 'published' });
    await make(site.kernel, '/top', { id: 'closed' });
    const [since, of] = [await now(site, 'anonymous'), await now(site, reader)];
    await done('PATCH', '/top', { id: 'moved' });
    await done('POST', '/moved/closed/@sharing', {
      entries: [{ id: 'reader', type: 'user', roles: { Reader: true } }],
    });
    await done('POST', '/@copy', { source: '/moved' });
    await done('DELETE', '/moved');
    expect(await heard('anonymous', since)).toEqual([
      'moved /top → /moved',
      'moved /top/open → /moved/open',
      'removed /moved',
      'removed /moved/open',
    ]);
    const seen = await heard(reader, of);
    expect(seen).toContain('created /moved/closed');
    expect(seen).toContain('removed /moved/closed');
    expect(seen.filter((one) => one.includes('closed'))).toHaveLength(2);
  });

  it('The list of all content ends with a cursor, from which nothing is missing.', async () => {
    await make(site.kernel, '/', { id: 'listed' }, { state: 'published' });
    await make(site.kernel, '/', { id: 'unlisted' });
    const first = await changesOf(site, 'anonymous', { limit: '1' });
    await make(site.kernel, '/', { id: 'meanwhile' }, { state: 'published' });
    const paths = new Set(first.items.map(({ path }) => path));
    for (let page = first; page.more; ) {
      page = await changesOf(site, 'anonymous', { since: page.cursor, limit: '2' });
      for (const { path } of page.items) paths.add(path);
      if (!page.more) for (const { path } of (await allSince(site, 'anonymous', page.cursor)).items) paths.add(path);
    }
    expect(paths).toContain('/listed');
    expect(paths).toContain('/meanwhile');
    expect(paths).not.toContain('/unlisted');
  });

  it('Filters take some of it: by place, type and event.', async () => {
    const since = await now(site, admin);
    await make(site.kernel, '/', { '@type': 'Folder', id: 'filtered' });
    await make(site.kernel, '/filtered', { id: 'page' });
    await make(site.kernel, '/', { id: 'beside' });
    expect(await heard(admin, since, { path: '/filtered/' })).toEqual(['created /filtered', 'created /filtered/page']);
    expect(await heard(admin, since, { type: 'Folder' })).toEqual(['created /filtered']);
    expect(await heard(admin, since, { event: 'changed,removed' })).toEqual([]);
  });

  it('A request waits for the next event.', async () => {
    const since = await now(site, 'anonymous');
    const waiting = changesOf(site, 'anonymous', { since, wait: '20' });
    await make(site.kernel, '/', { id: 'hidden-while-waiting' });
    await make(site.kernel, '/', { id: 'awaited' }, { state: 'published' });
    const page = await waiting;
    expect(page.items.map(short)).toEqual(['created /awaited']);
    expect(await heard('anonymous', page.cursor)).toEqual([]);
    const started = Date.now();
    const empty = await changesOf(site, 'anonymous', { since: page.cursor, wait: '1' });
    expect(empty.items).toEqual([]);
    expect(Date.now() - started).toBeGreaterThan(900);
  });

  it('Broken cursors are rejected, and those of other rights or of an older feed are gone.', async () => {
    const get = (as: Who, since: string) => site.request('GET', `/@changes?since=${since}`, { as });
    expect((await get(admin, 'x')).status).toBe(400);
    const cursor = await now(site, admin);
    expect((await get('anonymous', cursor)).status).toBe(410);
    await make(site.kernel, '/', { id: 'later' });
    await site.kernel.db.query({
      text: 'delete from content_event where position < (select max(position) from content_event)',
    });
    const gone = await get(admin, cursor);
    expect(gone.status).toBe(200);
    await allSince(site, admin, cursor);
    await site.kernel.db.query({
      text: 'delete from content_event where position < (select max(position) from content_event)',
    });
    const old = await get(admin, cursor);
    expect(old.status, old.text).toBe(410);
    expect(JSON.parse(old.text)).toMatchObject({ type: 'CursorTooOld' });
    expect((await site.request('GET', '/@changes?limit=0&wait=x', { as: admin })).status).toBe(400);
  });
});
