import { afterAll, beforeAll, expect, it } from 'vitest';
import { create, disposition, publish } from '../files/file-content.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';

const slate = (children: Json[]) => ({ '@type': 'slate', value: [{ type: 'p', children }] });
const link = (url: string, text: string) => ({ type: 'link', data: { url }, children: [{ text }] });
const blocksOf = (...blocks: Json[]) => ({
  blocks: Object.fromEntries(blocks.map((block, index) => [`b${index}`, block])),
  blocks_layout: { items: blocks.map((_, index) => `b${index}`) },
});

describeEachEngine('exports', (engine) => {
  let site: TestSite;
  let folder: string;
  let closed: Json;
  beforeAll(async () => {
    site = await startTestSite(engine);
    folder = (await create(site, '/', { '@type': 'Folder', title: 'News', id: 'news' })).path;
    await publish(site, folder);
    closed = await create(site, '/', { '@type': 'Page', title: 'Closed', id: 'closed' });
  });
  afterAll(() => site?.close());

  const get = (path: string, as: 'admin' | 'anonymous' = 'admin') =>
    site.request('GET', path, { as, headers: { Accept: '*/*' } });

  it('an export has the fields of the content under the names of the export representation', async () => {
    const page = await create(site, folder, {
      '@type': 'Page',
      title: 'Article',
      id: 'article',
      description: 'In short',
      effective: '2026-01-02T03:04:05Z',
      subjects: ['a', 'b'],
      ...blocksOf({ '@type': 'title' }),
    });
    await publish(site, page.path);
    const { body } = await get(`${page.path}/@export`);
    const { body: content } = await get(page.path);
    expect(body).toMatchObject({
      title: 'Article',
      description: 'In short',
      blocks: page.blocks,
      blocks_layout: page.blocks_layout,
      subjects: ['a', 'b'],
      language: { token: 'en', title: 'English' },
      created: content.created,
      modified: content.modified,
      effective: '2026-01-02T03:04:05.000Z',
      owner: 'admin',
      layout: content.layout,
      type: 'Page',
      uuid: page.UID,
      workflow_state: 'published',
    });
  });

  it('an export has nothing but fields', async () => {
    const { body } = await get(`${folder}/@export`);
    const known = (await site.kernel.sites.current()).types.get('Folder')?.fieldByName;
    const own = ['created', 'modified', 'effective', 'owner', 'layout', 'type', 'uuid', 'workflow_state'];
    expect(Object.keys(body).filter((key) => !own.includes(key) && !known?.has(key))).toEqual([]);
    for (const key of [
      '@id',
      '@type',
      '@components',
      'items',
      'lock',
      'is_folderish',
      'review_state',
      'id',
      'UID',
      'changeNote',
    ]) {
      expect(body).not.toHaveProperty([key]);
    }
    expect((await get(`${closed.path}/@export`)).body.effective).toBeNull();
  });

  it('an export is named after the path, and inline only for disposition=inline', async () => {
    const page = await create(site, folder, { '@type': 'Page', title: 'Named', id: 'named' });
    expect(disposition(await get(`${page.path}/@export`))).toMatch(/^attachment; filename="news\.named\.json"/);
    expect(disposition(await get(`${page.path}/@export?disposition=inline`))).toMatch(
      /^inline; filename="news\.named\.json"/,
    );
    expect(disposition(await get(`${page.path}/@export?disposition=inline%3B`))).toMatch(/^attachment/);
    expect(disposition(await get('/@export'))).toMatch(/filename="_root\.json"/);
  });

  it('the file name of an export has the id, however long the path is', async () => {
    let path = folder;
    for (const letter of ['a', 'b', 'c'])
      path = (await create(site, path, { '@type': 'Folder', title: letter, id: letter.repeat(90) })).path;
    expect(disposition(await get(`${path}/@export`))).toContain(`filename="${'c'.repeat(90)}.json"`);
  });

  it('an export does not reveal the target of a link that the caller may not view', async () => {
    const page = await create(site, folder, {
      '@type': 'Page',
      title: 'Linking',
      ...blocksOf(slate([link('/closed', 'there')])),
    });
    await publish(site, page.path);
    expect((await get(`${page.path}/@export`)).text).toContain(`${site.url}/closed`);
    expect((await get(`${page.path}/@export`, 'anonymous')).text).not.toContain('/closed');
  });

  it('an export is only for callers who may view the content', async () => {
    for (const view of ['@export', 'ics_view', 'rss_view', 'markdown_view']) {
      const { status, text } = await get(`${closed.path}/${view}`, 'anonymous');
      expect([view, status]).toEqual([view, 401]);
      expect(text).not.toContain('Closed');
    }
  });

  it('an export for a logged-in user is not stored by shared caches', async () => {
    for (const view of ['@export', 'ics_view', 'rss_view', 'markdown_view']) {
      expect((await get(`${folder}/${view}`)).headers.get('cache-control')).toBe('private, no-cache');
      expect((await get(`${folder}/${view}`, 'anonymous')).headers.get('vary')).toMatch(/Authorization/);
    }
  });

  it('an export can be Markdown, with the addresses of content that the caller may view', async () => {
    const page = await create(site, folder, {
      '@type': 'Page',
      title: 'In Markdown',
      ...blocksOf(
        { '@type': 'title' },
        slate([
          link('/news', 'open'),
          { text: ', ' },
          link('/closed', 'closed'),
          { text: ', ' },
          link('#part', 'part'),
          { text: ', ' },
          link('https://voltocms.com', 'outside'),
        ]),
      ),
    });
    await publish(site, page.path);
    const answer = await get(`${page.path}/markdown_view`, 'anonymous');
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(disposition(answer)).toMatch(/^attachment; filename="in-markdown\.md"/);
    expect(answer.text).toBe(
      `# In Markdown\n\n[open](${site.url}/news), closed, [part](${site.url}${page.path}#part), [outside](https://voltocms.com)\n`,
    );
    expect((await get(`${page.path}/markdown_view`)).text).toContain(`[closed](${site.url}/closed)`);
  });

  it('an export of content without blocks is Markdown of its title and description', async () => {
    const page = await create(site, folder, { '@type': 'Page', title: 'Bare', description: 'Only this' });
    expect((await get(`${page.path}/markdown_view`)).text).toBe('# Bare\n\nOnly this\n');
  });
});
