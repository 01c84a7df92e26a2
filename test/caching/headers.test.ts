import { beforeAll, describe, expect, it } from 'vitest';
import { TagNames } from '../../src/features/caching/tags.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, RequestOptions } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const TAGS = 'surrogate-key';

describeEachEngine('headers for caches outside', (engine) => {
  const site = useTestSite(engine, () => ({}));
  const get = (path: string, options: RequestOptions = {}) =>
    site.request('GET', path, { as: 'anonymous', ...options });
  const must = async (method: string, path: string, json?: Json) => {
    const response = await site.request(method, path, json === undefined ? {} : { json });
    expect(response.status, `${method} ${path}: ${response.text}`).toBeLessThan(300);
    return response.body;
  };
  const configure = (values: Json) => must('PATCH', '/@controlpanels/caching', values);
  const add = async (path: string, id: string, more: Json = {}) => {
    await must('POST', path, { '@type': 'Folder', id, title: id, ...more });
    await must('POST', `${path === '/' ? '' : path}/${id}/@workflow/publish`, {});
  };
  const tagsOf = async (path: string): Promise<string[]> => {
    const tags = (await get(path)).headers.get(TAGS);
    expect(tags, path).not.toBeNull();
    return (tags ?? '').split(' ');
  };
  const controlOf = async (path: string, options?: RequestOptions) =>
    (await get(path, options)).headers.get('cache-control');

  beforeAll(async () => {
    await add('/', 'news');
    await add('/news', 'one');
    await add('/', 'about');
    await must('POST', '/', { '@type': 'Page', id: 'draft', title: 'Draft' });
  });

  it('a site that does not allow caches outside says what it always said', async () => {
    const { headers } = await get('/news');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect([headers.get('x-cache-rule'), headers.get('x-cache-operation'), headers.get(TAGS)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  describe('where they are allowed', () => {
    beforeAll(() => configure({ enabled: true, tag_header: 'Surrogate-Key' }));

    it('public responses are cached by the ruleset of their service, also when they come from memory', async () => {
      for (const path of ['/news', '/news/@actions', '/news/@breadcrumbs', '/@search', '/@site', '/@navigation'])
        for (const time of ['first', 'second']) {
          const { headers, status } = await get(path);
          expect([path, time, status, headers.get('cache-control')]).toEqual([
            ...[path, time, 200],
            'max-age=10, s-maxage=60, proxy-revalidate, public',
          ]);
          expect(headers.get('x-cache-rule')).toBe('plone.content.dynamic');
          expect(headers.get('x-cache-operation')).toBe('plone.app.caching.terseCaching');
          expect(headers.get('vary')).toContain('Authorization');
        }
    });

    it('a change below a folder leaves the list that the folder is in', async () => {
      const { cursor } = await must('GET', '/@changes?since=now');
      const [home, news] = [await tagsOf('/'), await tagsOf('/news')];
      await must('PATCH', '/news/one', { title: 'First' });
      const { items } = await must('GET', `/@changes?since=${cursor}`);
      const keys = items.flatMap((item: Json) => item.keys);
      expect(home.filter((tag) => keys.includes(tag))).toEqual([]);
      expect(news.filter((tag) => keys.includes(tag))).not.toEqual([]);
    });

    it('a client that has the response already gets the same headers with 304', async () => {
      const etag = (await get('/news')).headers.get('etag') ?? '';
      const { status, headers } = await get('/news', { headers: { 'If-None-Match': etag } });
      expect(status).toBe(304);
      expect(headers.get('cache-control')).toContain('s-maxage=60');
      expect(headers.get(TAGS)).not.toBeNull();
    });

    it('a feed is kept in proxies only', async () => {
      expect(await controlOf('/news/RSS')).toBe('max-age=0, s-maxage=86400, must-revalidate');
    });

    it('responses to users who are logged in are private, and have no tags', async () => {
      for (const path of ['/news', '/news/@actions', '/@search', '/draft']) {
        const { headers, status } = await site.request('GET', path);
        expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'private, no-cache']);
        expect(headers.get(TAGS)).toBeNull();
      }
    });

    it('a preview of a draft is kept by nobody', async () => {
      const { url } = await must('POST', '/draft/@preview-links', { title: 'For the printer' });
      const { headers, status } = await get(url.slice(site.url.length));
      expect([status, headers.get('cache-control'), headers.get(TAGS)]).toEqual([200, 'private, no-store', null]);
    });

    it('errors, redirects, and what no ruleset is for are for nobody else', async () => {
      await must('POST', '/', { '@type': 'Page', id: 'old', title: 'Old' });
      await must('POST', '/old/@workflow/publish', {});
      await must('POST', '/about/@move', { source: '/old' });
      const statuses: number[] = [];
      for (const path of ['/nowhere', '/draft', '/old', '/@types/Page', '/news/@comments', '/@vocabularies']) {
        const { headers, status } = await get(path);
        statuses.push(status);
        expect([path, headers.get('cache-control')]).toEqual([path, 'private, no-cache']);
      }
      expect(statuses.slice(0, 3)).toEqual([404, 401, 302]);
    });

    it('comments have the ruleset of items', async () => {
      expect((await get('/news/@comments')).headers.get('x-cache-rule')).toBe('plone.content.itemView');
    });

    it('a file that everybody may read is kept with tags, and one of a draft is not', async () => {
      const file = { filename: 'a.txt', encoding: 'base64', 'content-type': 'text/plain', data: 'dGV4dA==' };
      await must('POST', '/news', { '@type': 'File', id: 'open', title: 'Open', file });
      const { headers, status } = await get('/news/open/@@download/file');
      expect([status, headers.get('cache-control')]).toEqual([200, 'max-age=0, s-maxage=86400, must-revalidate']);
      expect(headers.get(TAGS)).not.toBeNull();
      expect(await controlOf('/news/open/@@download/file', { as: 'admin' })).not.toContain('s-maxage');
    });

    it('tags are the same for the same things, differ for others, and say nothing by themselves', async () => {
      const [one, again, about] = [await tagsOf('/news/one'), await tagsOf('/news/one'), await tagsOf('/about')];
      expect(again).toEqual(one);
      expect(about).not.toEqual(one);
      // The root is part of both, and every response has one tag.
      expect(about.filter((tag) => one.includes(tag)).length).toBeGreaterThanOrEqual(2);
      for (const tag of [...one, ...about]) expect(tag).toMatch(/^[\w-]{8}$/);
      expect(one.length % 8).toBe(0);
    });

    it('a header Cache-Tag separates by commas', async () => {
      await configure({ tag_header: 'Cache-Tag' });
      expect((await get('/news')).headers.get('cache-tag')).toMatch(/^[\w-]{8}(,[\w-]{8})+$/);
      await configure({ tag_header: 'Surrogate-Key' });
    });

    it('a response is cached until content becomes effective or expires at most', async () => {
      await must('POST', '/about', {
        ...{ '@type': 'Page', id: 'soon', title: 'Soon' },
        expires: new Date(Date.now() + 30_000).toISOString(),
      });
      for (const path of ['/about', '/about', '/news'])
        for (const [, seconds] of (await controlOf(path))?.matchAll(/s-maxage=(\d+)/g) ?? [['', '99']]) {
          expect(Number(seconds)).toBeGreaterThan(5);
          expect(Number(seconds)).toBeLessThanOrEqual(30);
        }
      await must('DELETE', '/about/soon');
    });

    it('another operation of a ruleset has its effect at once', async () => {
      await configure({ operation_mapping: { 'plone.content.dynamic': 'plone.app.caching.strongCaching' } });
      expect(await controlOf('/news')).toBe('max-age=86400, proxy-revalidate, public');
      await configure({ operation_mapping: { 'plone.content.dynamic': 'plone.app.caching.weakCaching' } });
      expect(await controlOf('/news')).toBe('private, no-cache');
      await configure({ operation_mapping: {} });
      expect([await controlOf('/news'), (await get('/news')).headers.get('x-cache-operation')]).toEqual([
        'private, no-cache',
        null,
      ]);
    });

    it('an unknown operation or ruleset is refused with the existing names', async () => {
      for (const mapping of [{ nothing: 'plone.app.caching.weakCaching' }, { 'plone.resource': 'weak' }]) {
        const { status, text } = await site.request('PATCH', '/@controlpanels/caching', {
          json: { operation_mapping: mapping },
        });
        expect(status).toBe(400);
        expect(text).toMatch(/plone\.(resource|app)/);
      }
    });
  });
});

describe('the tags of responses and changes', () => {
  const names = new TagNames('key');
  const tags = (objects: number[], containers: number[] = []) => ({
    ...{ objects: new Set(objects), containers: new Set(containers) },
  });
  const many = Array.from({ length: 5000 }, (_, i) => i);
  const meets = (made: string[], changed: string[]) => changed.some((tag) => made.includes(tag));

  it('a change meets exactly the responses that are made of what changed', () => {
    const made = names.ofResponse(tags([1, 2], [3]));
    expect(meets(made, names.ofChange(tags([2])))).toBe(true);
    expect(meets(made, names.ofChange(tags([], [3])))).toBe(true);
    expect(meets(made, names.ofChange(tags([3], [1, 2])))).toBe(false);
    expect(meets(made, names.ofChange('anything'))).toBe(true);
    expect(meets(names.ofResponse(undefined), names.ofChange(tags([9])))).toBe(true);
  });

  it('a response of many things has tags of a bounded length, which a change of any of them meets', () => {
    const made = names.ofResponse(tags(many, many));
    expect(made.join(' ').length).toBeLessThan(5000);
    for (const oid of [0, 77, 4999]) expect(meets(made, names.ofChange(tags([oid])))).toBe(true);
    expect(names.ofChange(tags(many))).toEqual([names.everything]);
  });

  it('another key makes other names', () => {
    expect(new TagNames('other').ofResponse(tags([1]))).not.toEqual(names.ofResponse(tags([1])));
  });
});
