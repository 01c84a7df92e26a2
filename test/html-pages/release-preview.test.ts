import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ReleasesSite, startReleasesSite } from '../releases/releases-site.ts';
import { describeEachEngine } from '../support/database.ts';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describeEachEngine('pages of a release', (engine) => {
  let site: ReleasesSite;
  let token = '';
  beforeAll(async () => {
    site = await startReleasesSite(engine);
    await site.page('Prices');
    const id = await site.make('admin', [
      { method: 'PATCH', path: '/page-1', body: { title: 'New prices' } },
      { method: 'POST', path: '/', body: { '@type': 'Page', id: 'pool', title: 'The pool' } },
      { method: 'POST', path: '{1.@id}/@workflow/publish', body: {} },
      { method: 'POST', path: '/', body: { '@type': 'Page', id: 'hidden', title: 'Not yet' } },
    ]);
    token = await site.token('admin', id);
  });
  afterAll(() => site?.close());

  const open = (path: string, sent: string | undefined, headers: Record<string, string> = {}) =>
    site.request('GET', sent === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}preview_token=${sent}`, {
      as: 'anonymous',
      headers: { Accept: HTML, ...headers },
    });

  it('show the site as it will be, with links that keep the token', async () => {
    const { status, text } = await open('/page-1', token);
    expect(status).toBe(200);
    expect(text).toContain('New prices');
    expect(text).toContain('Preview of a release');
    expect(text).toContain(`href="/pool?preview_token=${token}"`);
    expect(text).toContain(`name="preview_token" value="${token}"`);
    expect(text).not.toContain('Not yet');
    const links = [...text.matchAll(/ href="(\/[^"]*)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
    const without = links.filter((address) => !address.includes(`preview_token=${token}`));
    expect(
      without.every((address) => /^\/(?:@login|@manage|@docs|@@|\+\+)/.test(address)),
      without.join(' '),
    ).toBe(true);
    for (const address of links.filter((one) => /^\/(?:pool|page-1)?\?/.test(one) && !/page-language/.test(one)))
      expect((await open(address, undefined)).status, address).toBe(200);
  });

  it('find in a search what will be there', async () => {
    const { status, text } = await open('/@search?SearchableText=pool', token);
    expect([status, text.includes(`href="/pool?preview_token=${token}"`)]).toEqual([200, true]);
    expect((await open('/@search?SearchableText=pool', undefined)).text).not.toContain('href="/pool');
    expect((await open('/@search', token)).text).toContain('Preview of a release');
  });

  it('are stored by no cache, listed by no search engine, and change nothing for others', async () => {
    for (const path of ['/page-1', '/@search?SearchableText=pool', '/pool?view=json']) {
      const { status, headers } = await open(path, token);
      expect(status, path).toBe(200);
      expect(headers.get('cache-control'), path).toBe('private, no-store');
      expect(headers.get('x-robots-tag'), path).toBe('noindex');
      expect(headers.get('referrer-policy'), path).toBe('no-referrer');
      expect(headers.get('etag'), path).toBeNull();
    }
    const { text, headers } = await open('/page-1', undefined);
    expect([text.includes('Prices'), text.includes('Preview of a release')]).toEqual([true, false]);
    expect(headers.get('x-robots-tag')).toBeNull();
    expect((await open('/pool', undefined)).status).toBe(404);
  });

  it('have the status of the JSON for a wrong token and for what stays private', async () => {
    for (const [path, sent] of [
      ['/page-1', `release_${'x'.repeat(43)}`],
      ['/page-1', 'release_short'],
      ['/hidden', token],
      ['/nowhere', token],
    ] as const) {
      const page = await open(path, sent);
      const json = await open(path, sent, { Accept: 'application/json' });
      expect([path, page.status]).toEqual([path, json.status]);
      expect(page.status).toBeGreaterThanOrEqual(400);
      expect(page.text).not.toContain('Not yet');
      if (sent !== token) expect(page.text).not.toContain('New prices');
    }
  });
});
