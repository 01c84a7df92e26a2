import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canopy, filesIn, send, startTwoSites, type TwoSites } from './two-sites.ts';

const slate = (text: string) => ({ '@type': 'slate', value: [{ type: 'p', children: [{ text }] }], plaintext: text });

describe('content from site to site', { timeout: 20_000 }, () => {
  let sites: TwoSites;
  let dev: string;
  let live: string;
  let copy: string;
  let plan: string;

  const make = async () => {
    const site = sites.dev;
    await send(site, 'POST', '/', { '@type': 'Folder', id: 'news', title: 'News' });
    await send(site, 'POST', '/news', {
      '@type': 'Page',
      id: 'a',
      title: 'A',
      blocks: { two: slate('Second'), one: slate('First') },
      blocks_layout: { items: ['one', 'two'] },
    });
    await send(site, 'POST', '/news', { '@type': 'Page', id: 'b', title: 'B', subjects: ['x'] });
    await send(site, 'POST', '/news', {
      '@type': 'File',
      id: 'file',
      title: 'File',
      file: {
        data: Buffer.from('bytes').toString('base64'),
        encoding: 'base64',
        filename: 'f.txt',
        'content-type': 'text/plain',
      },
    });
    const { UID } = await send(site, 'GET', '/news/b');
    await send(site, 'PATCH', '/news/a', { relatedItems: [UID] });
    await send(site, 'PATCH', '/news/b', {
      blocks: {
        l: {
          '@type': 'slate',
          value: [{ type: 'p', children: [{ type: 'link', data: { url: '/news/a' }, children: [{ text: 'a' }] }] }],
        },
      },
      blocks_layout: { items: ['l'] },
    });
    await send(site, 'POST', '/news/a/@workflow/publish', {});
    await send(site, 'PATCH', '/news', { ordering: { obj_id: 'b', delta: 'top' } });
  };

  beforeAll(async () => {
    sites = await startTwoSites();
    dev = await sites.tokenOf(sites.dev);
    live = await sites.tokenOf(sites.live);
    copy = join(sites.folder, 'copy');
    plan = join(sites.folder, 'plan.json');
    await make();
  });
  afterAll(() => sites.close());

  it('A site is written as the same files again, blocks in their order.', async () => {
    const first = await canopy('pull', sites.dev.url, copy, '--token-file', dev);
    expect(first).toMatchObject({ code: 0, data: { objects: 5, files: 1 } });
    const files = filesIn(copy);
    expect(JSON.parse(files['content/news/_order.json'] ?? '')).toEqual(['b', 'a', 'file']);
    const page = files['content/news/a/_object.json'] ?? '';
    expect(page.indexOf('First')).toBeLessThan(page.indexOf('Second'));
    const again = await canopy('pull', sites.dev.url, copy, '--token-file', dev, '--replace');
    expect(again).toMatchObject({ code: 0, data: { removed: 0 } });
    expect(filesIn(copy)).toEqual(files);
    expect(await canopy('diff', sites.dev.url, copy, '--token-file', dev)).toMatchObject({ code: 0 });
  });

  it('A plan brings another site to the state of a folder, once.', async () => {
    const made = await canopy('diff', sites.live.url, copy, '--token-file', live, `--out=${plan}`);
    expect(made).toMatchObject({ code: 3, data: { counts: { created: 4, removed: 0 } } });
    const dry = await canopy('apply', plan, '--to', sites.live.url, '--token-file', live, '--dry-run');
    expect(dry).toMatchObject({ code: 0, data: { dry_run: true, created: expect.any(Array), conflicts: [] } });
    expect((await sites.live.request('GET', '/news')).status).toBe(404);
    const done = await canopy('apply', plan, '--to', sites.live.url, '--token-file', live);
    expect(done.err).toBe('');
    expect(done.data).toMatchObject({ conflicts: [], notes: [] });
    expect(done.code).toBe(0);
    const page = await send(sites.live, 'GET', '/news/a');
    expect(page).toMatchObject({ title: 'A', review_state: 'published', blocks: { one: slate('First') } });
    expect(page.relatedItems[0]['@id']).toBe(`${sites.live.url}/news/b`);
    expect((await sites.live.request('GET', '/news/file/@@download/file')).text).toBe('bytes');
    const { items } = await send(sites.live, 'GET', '/news');
    expect(items.map((item: { id: string }) => item.id)).toEqual(['b', 'a', 'file']);
    const rest = await canopy('diff', sites.live.url, copy, '--token-file', live);
    expect(rest.data).toMatchObject({ entries: [], setup: [] });
    const again = await canopy('apply', plan, '--to', sites.live.url, '--token-file', live);
    expect(again).toMatchObject({ code: 0, data: { created: [], changed: [], moved: [], removed: [] } });
  });

  it('Changes, moves and removals are merged with what the site has made of its content.', async () => {
    await send(sites.dev, 'PATCH', '/news/a', {
      blocks: { two: slate('Second of dev'), one: slate('First') },
      blocks_layout: { items: ['one', 'two'] },
    });
    await send(sites.dev, 'PATCH', '/news/b', { id: 'c', title: 'C' });
    await send(sites.dev, 'DELETE', '/news/file');
    await canopy('pull', sites.dev.url, copy, '--token-file', dev, '--replace');
    const made = await canopy('diff', sites.live.url, copy, '--token-file', live, `--out=${plan}`);
    expect(made.data.counts).toEqual({ setup: 0, created: 0, changed: 2, removed: 1, ordered: 0 });
    await send(sites.live, 'PATCH', '/news/a', {
      blocks: { two: slate('Second'), one: slate('First of live') },
      blocks_layout: { items: ['one', 'two'] },
    });
    const done = await canopy('apply', plan, '--to', sites.live.url, '--token-file', live);
    expect(done).toMatchObject({
      code: 0,
      data: { moved: [{ from: '/news/b', to: '/news/c' }], removed: ['/news/file'] },
    });
    const page = await send(sites.live, 'GET', '/news/a');
    expect(page.blocks).toMatchObject({ one: slate('First of live'), two: slate('Second of dev') });
    expect((await sites.live.request('GET', '/news/file')).status).toBe(404);
    expect(await send(sites.live, 'GET', '/news/c')).toMatchObject({ title: 'C' });
  });

  it('A conflict stops a plan unless a rule decides it, and nothing is applied.', async () => {
    await send(sites.dev, 'PATCH', '/news/a', { title: 'A of dev' });
    await send(sites.dev, 'PATCH', '/news/c', { title: 'C of dev' });
    await canopy(
      'diff',
      sites.live.url,
      sites.dev.url,
      '--token-file',
      live,
      '--token-file',
      dev,
      `--out=${plan}`,
      '--path=/news',
    );
    await send(sites.live, 'PATCH', '/news/a', { title: 'A of live' });
    const stopped = await canopy('apply', plan, '--to', sites.live.url, '--token-file', live);
    expect(stopped).toMatchObject({ code: 1, data: undefined });
    expect(stopped.err).toContain('Nothing was applied');
    expect(await send(sites.live, 'GET', '/news/c')).toMatchObject({ title: 'C' });
    const dry = await canopy('apply', plan, '--to', sites.live.url, '--token-file', live, '--dry-run');
    expect(dry).toMatchObject({
      code: 3,
      data: { conflicts: [{ path: '/news/a', part: 'title', here: 'A of live', there: 'A of dev' }] },
    });
    const kept = await canopy('apply', plan, '--to', sites.live.url, '--token-file', live, '--conflicts=keep');
    expect(kept).toMatchObject({ code: 3, data: { changed: expect.arrayContaining(['/news/c']) } });
    expect(await send(sites.live, 'GET', '/news/a')).toMatchObject({ title: 'A of live' });
    await canopy('apply', plan, '--to', sites.live.url, '--token-file', live, '--conflicts=take');
    expect(await send(sites.live, 'GET', '/news/a')).toMatchObject({ title: 'A of dev' });
  });
});
