import {
  BadRequestError,
  ChangedError,
  type Client,
  createClient,
  ForbiddenError,
  MovedError,
  NotFoundError,
  UnauthorizedError,
} from '@canopy-server/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeQuickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { adminClient, picture } from './client-site.ts';

describeQuickestEngine('the client of a site', (engine) => {
  const site = useTestSite(engine);
  let admin: Client;
  let visitor: Client;

  beforeAll(async () => {
    admin = await adminClient(site);
    visitor = createClient(site.url);
    await admin.at('/').create({ '@type': 'Folder', id: 'news', title: 'News' });
    await admin.at('/news').transition('publish');
  });

  it('Content is created, loaded, changed and removed by its place in the tree.', async () => {
    const news = admin.at('/news');
    const created = await news.create({ '@type': 'Page', id: 'today', title: 'Today' });
    expect(created).toMatchObject({ '@id': `${site.url}/news/today`, '@type': 'Page' });
    const today = news.child('today');
    expect(today.path).toBe('/news/today');
    expect((await today.update({ description: 'Sunny' })).description).toBe('Sunny');
    expect((await today.get()).description).toBe('Sunny');
    expect((await today.parent?.get())?.title).toBe('News');
    await today.remove();
    await expect(today.get()).rejects.toBeInstanceOf(NotFoundError);
  });

  it('Expanded components come along with content.', async () => {
    const news = await admin.get('/news', { expand: ['breadcrumbs', 'navigation'], items: false });
    expect(news['@components'].breadcrumbs.items).toEqual([{ '@id': `${site.url}/news`, title: 'News' }]);
    expect(news['@components'].navigation.items.map(({ title }) => title)).toEqual(['News']);
    expect(news).not.toHaveProperty('items');
  });

  it('The type of content is checked where the caller names one.', async () => {
    await expect(admin.get('/news', { type: 'Page' })).rejects.toThrow('/news is a Folder, not a Page');
  });

  it('A path that names a service or leads upwards is no content, and no request is made for it.', async () => {
    const offline = createClient('http://127.0.0.1:1');
    for (const path of ['/@users', '/news/%40users', '/a%2F@users', '/++api++/news', '/news/..', '/resolveuid/x'])
      expect(() => offline.at(path), path).toThrow(NotFoundError);
  });

  it('Content with blanks and letters of any script is found by its path.', async () => {
    await admin.at('/').create({ '@type': 'Folder', id: 'Grüße an', title: 'Greetings' });
    expect((await admin.get('/Grüße an')).title).toBe('Greetings');
    expect((await admin.get(`/${encodeURIComponent('Grüße an')}`)).title).toBe('Greetings');
    expect((await admin.get(`${site.url}/Gr%C3%BC%C3%9Fe%20an`)).title).toBe('Greetings');
    await admin.at('/').child('Grüße an').create({ '@type': 'Page', title: 'One' });
    expect((await admin.at('/Grüße an').children().take(5)).map(({ title }) => title)).toEqual(['One']);
  });

  it('Errors are classes with the problems of fields.', async () => {
    const wrong = admin.at('/news').create({ '@type': 'Page', title: 5, nothing: true });
    await expect(wrong).rejects.toBeInstanceOf(BadRequestError);
    await expect(wrong).rejects.toMatchObject({
      status: 400,
      type: 'BadRequest',
      problems: [{ field: 'title', message: 'Must be a string.' }],
      message: 'title: Must be a string.',
      requestId: expect.any(String),
    });
    await expect(visitor.at('/news').create({ '@type': 'Page', title: 'x' })).rejects.toBeInstanceOf(UnauthorizedError);
    await expect(visitor.login('admin', 'wrong')).rejects.toBeInstanceOf(UnauthorizedError);
    await expect(visitor.get('/news/nothing')).rejects.toMatchObject({ type: 'NotFound', status: 404 });
    expect(new ForbiddenError({ ...(await visitor.get('/x').catch((error) => error)), message: 'No' }).name).toBe(
      'ForbiddenError',
    );
  });

  it('A change of content that somebody else has changed meanwhile is refused, also when it was loaded with expansions.', async () => {
    await admin.at('/news').create({ '@type': 'Page', id: 'shared', title: 'Shared' });
    const other = await adminClient(site);
    await admin.get('/news/shared', { expand: ['breadcrumbs'] });
    await other.at('/news/shared').update({ title: 'By the other' });
    await expect(admin.at('/news/shared').update({ title: 'Mine' })).rejects.toBeInstanceOf(ChangedError);
    expect((await admin.get('/news/shared')).title).toBe('By the other');
    expect((await admin.at('/news/shared').update({ title: 'Mine' })).title).toBe('Mine');
    await other.get('/news/shared');
    await admin.at('/news/shared').update({ title: 'Mine again' });
    expect((await other.at('/news/shared').update({ title: 'Forced' }, { ifMatch: false })).title).toBe('Forced');
  });

  it('Moved content is loaded from its new address, or its new path is thrown.', async () => {
    await admin.at('/news').create({ '@type': 'Folder', id: 'old', title: 'Old' });
    await admin.at('/news/old').update({ id: 'new' });
    expect((await admin.get('/news/old'))['@id']).toBe(`${site.url}/news/new`);
    const moved = await admin.get('/news/old', { redirects: 'error' }).catch((error: unknown) => error);
    expect(moved).toBeInstanceOf(MovedError);
    expect(moved).toMatchObject({ path: '/news/new' });
    const copy = await admin.at('/news/new').copyTo('/');
    expect((await copy.get()).title).toBe('Old');
    const back = await copy.moveTo(admin.at('/news/new'));
    expect(back.path).toBe(`/news/new/${copy.path.slice(1)}`);
  });

  describe('lists', () => {
    beforeAll(async () => {
      await admin.at('/').create({ '@type': 'Folder', id: 'list', title: 'List' });
      for (let i = 0; i < 7; i += 1)
        await admin.at('/list').create({ '@type': i < 4 ? 'Page' : 'Folder', id: `p${i}`, title: `Entry ${i}` });
    });

    it('A list goes through all batches in the order of the container.', async () => {
      const titles: string[] = [];
      for await (const child of admin.at('/list').children({ size: 3 })) titles.push(child.title);
      expect(titles).toEqual([0, 1, 2, 3, 4, 5, 6].map((i) => `Entry ${i}`));
      const sizes: number[] = [];
      for await (const { items, total } of admin.at('/list').children({ size: 3 }).batches()) {
        expect(total).toBe(7);
        sizes.push(items.length);
      }
      expect(sizes).toEqual([3, 3, 1]);
      expect(await admin.at('/list').children({ size: 3 }).take(4)).toHaveLength(4);
    });

    it('Searches take values, lists, negations and ranges, and return facets.', async () => {
      const list = admin.at('/list');
      const pages = await list.search({ portal_type: 'Page' }, { sort: 'sortable_title', order: 'descending' }).first();
      expect(pages.items.map(({ title }) => title)).toEqual(['Entry 3', 'Entry 2', 'Entry 1', 'Entry 0']);
      expect((await list.search({ portal_type: ['Page', 'Folder'] }).first()).total).toBe(8);
      expect((await list.search({ portal_type: { not: 'Page' } }).first()).total).toBe(4);
      expect((await list.search({ created: { max: new Date(0) } }).first()).total).toBe(0);
      expect((await list.search({ created: { min: new Date(0), max: new Date() } }).first()).total).toBe(8);
      expect((await admin.search({ path: { query: '/list', depth: 1 } }).first()).total).toBe(7);
      const { facets } = await list.search({}, { facets: ['portal_type'] }).first();
      expect(facets.portal_type).toEqual([
        { value: 'Folder', title: 'Folder', count: 4 },
        { value: 'Page', title: 'Page', count: 4 },
      ]);
      const [whole] = await list.searchWhole({ portal_type: 'Page' }, { sort: 'getId' }).take(1);
      expect(whole).toMatchObject({ id: 'p0', blocks: {} });
    });
  });

  describe('pictures and links', () => {
    it('Pictures have srcset and sizes, from content as from summaries.', async () => {
      const place = await admin.at('/news').upload(await picture(700, 350), {
        ...{ filename: 'wide.png', contentType: 'image/png', type: 'Image' },
      });
      const content = admin.images(await place.get());
      expect(content).toMatchObject({ width: 700, height: 350, sizes: '(min-width: 700px) 700px, 100vw' });
      expect(content?.srcset).toMatch(/^http\S+\/news\/wide\.png\/@@images\/image-16-\w+\.png 16w, .* 600w, \S+ 700w$/);
      const [summary] = await admin.at('/news').search({ portal_type: 'Image' }).take(1);
      expect(admin.images(summary)).toEqual(content);
      const small = admin.images(summary, { maxWidth: 300, sizes: '50vw', url: (address) => `/cache?${address}` });
      expect(small).toMatchObject({ width: 200, height: 100, sizes: '50vw' });
      expect(small?.src).toMatch(/^\/cache\?http/);
      const read = await fetch(small?.src.slice('/cache?'.length) ?? '', {
        headers: { Authorization: `Bearer ${admin.token}` },
      });
      expect(read.headers.get('content-type')).toBe('image/png');
      expect(admin.images(await admin.get('/news'))).toBeUndefined();
    });

    it('Links of the site become paths, and others stay, but for those that would run something.', () => {
      expect(admin.resolve(`${site.url}/news?a=1#b`)).toBe('/news?a=1#b');
      expect(admin.resolve(site.url)).toBe('/');
      expect(admin.resolve(`${site.url}/++api++/news`)).toBe('/news');
      expect(admin.resolve(`${site.url}.evil.example/news`)).toBe(`${site.url}.evil.example/news`);
      expect(admin.resolve(`${site.url}/++api++`)).toBe('/');
      for (const start of ['//', '/\\', '/++api++//', '//++api++//'])
        expect(admin.pathOf(`${site.url}${start}evil.example/x`)).toBe('/evil.example/x');
      for (const other of ['//evil.example', '/\\evil.example']) expect(admin.pathOf(other)).toBeUndefined();
      expect(admin.resolve('https://example.org/resolveuid/x')).toBe('https://example.org/resolveuid/x');
      expect(admin.resolve('mailto:a@example.org')).toBe('mailto:a@example.org');
      expect(admin.resolve('#part')).toBe('#part');
      expect(admin.resolve('java\nscript:alert(1)')).toBe('#');
      expect(admin.resolve('data:text/html,x')).toBe('#');
    });

    it('Links by UID are looked up for whole values at once.', async () => {
      const { UID } = await admin.get('/news');
      const link = { type: 'link', data: { url: `../resolveuid/${UID}#top` } };
      const value = {
        blocks: { a: { '@type': 'slate', value: [{ children: [link] }] } },
        text: { data: `<p><a href="resolveuid/${UID}?a=1&amp;b=2">x</a> <img src='${site.url}/news/x'></p>` },
        title: `resolveuid/${UID}`,
        href: `resolveuid/${'0'.repeat(32)}`,
      };
      expect(await admin.resolveAll(value)).toEqual({
        blocks: { a: { '@type': 'slate', value: [{ children: [{ type: 'link', data: { url: '/news#top' } }] }] } },
        text: { data: '<p><a href="/news?a=1&amp;b=2">x</a> <img src="/news/x"></p>' },
        title: `resolveuid/${UID}`,
        href: `/resolveuid/${'0'.repeat(32)}`,
      });
      expect(await admin.resolveAll(`<a href="resolveuid/${UID}">x</a>`)).toBe('<a href="/news">x</a>');
    });
  });
});
