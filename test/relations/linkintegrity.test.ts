import { afterAll, beforeAll, expect, it } from 'vitest';
import { binOf } from '../recyclebin/recyclebin-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

describeEachEngine('link integrity', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site.close());
  const { add, remove, restore, request } = binOf(() => site);
  const check = async (uids: string[], as: Who = 'admin'): Promise<Json> =>
    (await request('GET', `/@linkintegrity?${uids.map((uid) => `uids=${uid}`).join('&')}`, { as })).body;

  it('link integrity lists all content that links from outside to an object or anything inside it, by text, rich text or fields', async () => {
    const folder = await add('/', 'Folder');
    const inside = await add(folder.path);
    const twin = await add('/', 'Folder', { id: `${folder.id}-archive` });
    await add(folder.path, 'Page', { relatedItems: [inside.UID] });
    const sources = [
      await add(twin.path, 'Page', { relatedItems: [inside.UID, folder.UID] }),
      await add('/', 'News Item', { text: `<p><a href="${inside['@id']}">there</a></p>` }),
      await add('/', 'Link', { remoteUrl: inside.path }),
      await add('/', 'Page', {
        blocks: {
          a: { '@type': 'slate', value: [{ type: 'link', data: { url: folder.path }, children: [{ text: 'x' }] }] },
        },
        blocks_layout: { items: ['a'] },
      }),
    ];
    const [entry] = await check([folder.UID]);
    expect(entry.breaches.map(({ uid }: Json) => uid).sort()).toEqual(sources.map(({ UID }) => UID).sort());
    expect(entry.items_total).toBe(2);
    const deleted = await remove(sources[0]);
    expect((await check([folder.UID]))[0].breaches).toHaveLength(3);
    await restore(deleted);
    expect((await check([folder.UID]))[0].breaches).toHaveLength(4);
    // References between objects that are deleted together do not count.
    expect((await check([folder.UID, twin.UID])).map(({ breaches }: Json) => breaches.length)).toEqual([3, 0]);
    expect((await check([inside.UID, inside.UID])).map(({ breaches }: Json) => breaches.length)).toEqual([4]);
  });

  it('link integrity leaves out objects, sources and counts that the caller may not view', async () => {
    const folder = await add('/', 'Folder');
    await request('POST', `${folder.path}/@workflow/publish`, { json: {} });
    const hidden = await add(folder.path);
    await add('/', 'Page', { relatedItems: [folder.UID] });
    expect(await check([folder.UID, hidden.UID, 'unknown'], 'anonymous')).toMatchObject([
      { title: folder.title, breaches: [], items_total: 0 },
    ]);
  });

  it('link integrity rejects a request without UIDs or with more than 1000', async () => {
    expect((await request('GET', '/@linkintegrity')).status).toBe(400);
    expect(await check(['unknown'])).toEqual([]);
    expect((await check(Array.from({ length: 1001 }, (_, n) => `u${n}`))).message).toContain('1000');
  });
});
