import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { quickestEngine } from '../support/database.ts';
import { startTestSite } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

/** The header `Accept` of a browser that opens an address. */
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const site = useTestSite(quickestEngine());
const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(site.url + path, { method, headers: { Accept: HTML, ...headers } });

/** The addresses of the files that the document names. */
const filesOf = (text: string): string[] => [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, url]) => url ?? '');

let files: string[] = [];
beforeAll(async () => {
  files = filesOf(await (await open('/@manage')).text());
});

describe('the page for those who run a site', () => {
  it('is the same document at every address below it', async () => {
    const first = await open('/@manage');
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const text = await first.text();
    for (const path of [
      '/@manage/',
      '/@manage/content?path=/a/b',
      '/@manage/users/jane',
      '/@manage/users/jane/groups',
    ]) {
      const response = await open(path);
      expect([path, response.status, await response.text()]).toEqual([path, 200, text]);
    }
  });

  it('is served below ++api++ as well, for sites behind the proxy of a front end', async () => {
    expect((await open('/++api++/@manage/content')).headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('names its files below the path at which the site is reached', async () => {
    const [below] = filesOf(await (await open('/Plone/@manage')).text());
    expect(below).toMatch(/^\/Plone\/@manage\/assets\//);
    expect((await open(below ?? '')).status).toBe(200);
    const published = await startTestSite(quickestEngine(), { environment: { PUBLIC_URL: 'https://example.org/cms' } });
    try {
      const beside = await (await fetch(`${published.url}/@manage`)).text();
      expect(filesOf(beside)[0]).toMatch(/^\/@manage\/assets\//);
    } finally {
      await published.close();
    }
  });

  it('allows no inline code and no other address', async () => {
    const response = await open('/@manage');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(await response.text()).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=|https?:/);
  });

  it('has nothing of the site in it: everybody gets the same bytes', async () => {
    const asVisitor = await (await open('/@manage')).text();
    const asManager = await open('/@manage', { Authorization: `Basic ${btoa('admin:admin')}` });
    expect(await asManager.text()).toBe(asVisitor);
  });

  it('is not sent again while it is the same', async () => {
    const etag = (await open('/@manage')).headers.get('etag') ?? '';
    const again = await fetch(`${site.url}/@manage`, { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('cache-control')).toBe('no-cache');
  });

  it('answers HEAD without a body, and takes no writes', async () => {
    const head = await open('/@manage', {}, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await open('/@manage', {}, 'POST')).status).toBe(405);
  });
});

describe('the files of the page', () => {
  it('may be kept for good, and come compressed', async () => {
    expect(files.length).toBeGreaterThan(1);
    for (const path of files) {
      const whole = await open(path, { Accept: '*/*', 'Accept-Encoding': 'identity' });
      expect([path, whole.status]).toEqual([path, 200]);
      expect(whole.headers.get('content-type')).toMatch(/^text\/(?:javascript|css); charset=utf-8$/);
      expect(whole.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(whole.headers.get('vary')).toMatch(/Accept-Encoding/);
      expect(whole.headers.get('content-encoding')).toBeNull();
    }
  });

  it('have the same bytes in every form', async () => {
    const [path = ''] = files.filter((one) => one.endsWith('.css'));
    const raw = async (encoding: string): Promise<Buffer> => {
      const { bytes } = await site.request('GET', path, { as: 'anonymous', headers: { 'Accept-Encoding': encoding } });
      return bytes;
    };
    const plain = await raw('identity');
    const unpacked = [await raw('br'), await raw('gzip')];
    // A client of the test may have unpacked them already.
    for (const [index, unpack] of [brotliDecompressSync, gunzipSync].entries()) {
      const bytes = unpacked[index] ?? Buffer.alloc(0);
      expect(bytes.equals(plain) ? bytes : unpack(bytes)).toEqual(plain);
    }
  });

  it.each([
    '/@manage/assets/nothing.js',
    '/@manage/assets/manifest.json',
    '/@manage/assets/..%2Fmanifest.json',
    '/@manage/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/@manage/assets/main',
    '/@manage/a/b/c/d',
    '/folder/@manage',
  ])('a name that the page does not have is 404: %s', async (path) => {
    expect((await open(path)).status).toBe(404);
    expect((await open(path, { Accept: 'application/json' })).status).toBe(404);
  });
});

describe('a site without the page', () => {
  it('MANAGE_PAGE=off serves neither the page nor its files', async () => {
    const without = await startTestSite(quickestEngine(), { environment: { MANAGE_PAGE: 'off' } });
    try {
      for (const path of ['/@manage', '/@manage/content', ...files])
        expect([path, (await fetch(without.url + path)).status]).toEqual([path, 404]);
    } finally {
      await without.close();
    }
  });
});
