import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { type ReleasesSite, startReleasesSite } from './releases-site.ts';

describeEachEngine('releases: the site as it would be', (engine) => {
  let site: ReleasesSite;
  let id = '';
  let path = '';
  let token = '';
  beforeAll(async () => {
    site = await startReleasesSite(engine);
    path = await site.page('Before');
    id = await site.make('editor', [
      { method: 'PATCH', path, body: { title: 'Afterwards' } },
      { method: 'POST', path: '/', body: { '@type': 'Page', id: 'planned', title: 'Planned page' } },
      { method: 'POST', path: '/planned/@workflow/publish', body: {} },
      { method: 'POST', path: '/', body: { '@type': 'Page', id: 'inside', title: 'Inside page' } },
      {
        method: 'POST',
        path: '/',
        body: {
          '@type': 'File',
          id: 'leaflet',
          title: 'Leaflet',
          file: { data: Buffer.from('Summer').toString('base64'), encoding: 'base64', filename: 'a.txt' },
        },
      },
    ]);
    token = await site.token('publisher', id);
  });
  afterAll(() => site?.close());

  const titles = (items: Json[]) => items.map(({ title }) => title);

  it('a visitor sees content, navigation, listings and searches as after the publication, and nothing stays', async () => {
    const shown = await site.shown(token, path);
    expect(shown.body.title).toBe('Afterwards');
    expect(shown.headers.get('cache-control')).toBe('private, no-store');
    expect((await site.shown(token, '/planned')).body).toMatchObject({ title: 'Planned page' });
    expect(titles((await site.shown(token, '/@navigation')).body.items)).toContain('Planned page');
    expect(titles((await site.shown(token, '/@search?SearchableText=planned')).body.items)).toEqual(['Planned page']);
    expect(titles((await site.shown(token, '/')).body.items)).toContain('Afterwards');
    const expanded = (await site.shown(token, '/planned?expand=breadcrumbs,navigation')).body['@components'];
    expect(titles(expanded.navigation.items)).toContain('Planned page');
    const query = encodeURIComponent(
      JSON.stringify({
        query: [
          { i: 'portal_type', o: 'plone.app.querystring.operation.selection.any', v: ['Page'] },
          { i: 'Title', o: 'plone.app.querystring.operation.string.contains', v: 'Planned' },
        ],
      }),
    );
    expect(titles((await site.shown(token, `/@querystring-search?query=${query}`)).body.items)).toEqual([
      'Planned page',
    ]);
    const bearer = await fetch(`${site.url}${path}`, {
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    });
    expect(((await bearer.json()) as Json).title).toBe('Afterwards');

    expect((await site.request('GET', '/planned')).status).toBe(404);
    expect(titles((await site.request('GET', '/@search?SearchableText=planned')).body.items)).toEqual([]);
    const now = await site.request('GET', path, { as: 'anonymous' });
    expect([now.body.title, now.headers.get('etag') === null]).toEqual(['Before', false]);
  });

  it('others see the present site while previews are made', async () => {
    const seen = await Promise.all(
      [0, 1, 2, 3, 4, 5].flatMap((n) => [
        n < 3 ? site.shown(token, path) : site.shown(token, '/@search?SearchableText=planned'),
        site.request('GET', path, { as: 'anonymous' }),
        site.request('GET', '/@navigation', { as: 'anonymous' }),
      ]),
    );
    for (const [i, { status, body }] of seen.entries()) {
      expect(status, JSON.stringify(body)).toBe(200);
      if (i % 3 === 1) expect(body.title).toBe('Before');
      if (i % 3 === 2) expect(titles(body.items)).not.toContain('Planned page');
    }
  });

  it('the token opens nothing but what the release opens', async () => {
    // The page stays private.
    expect((await site.shown(token, '/inside')).status).toBe(401);
    expect((await site.shown(token, '/inside', 'editor')).body.title).toBe('Inside page');
    expect(titles((await site.shown(token, '/@search?SearchableText=inside')).body.items)).toEqual([]);
    expect(titles((await site.shown(token, '/@search?SearchableText=inside', 'editor')).body.items)).toEqual([
      'Inside page',
    ]);
    expect((await site.shown(token, '/@users')).status).toBe(401);
    expect((await site.shown(token, `/@releases/${id}`, 'editor')).status).toBe(400);
    const written = await site.request('PATCH', `${path}?preview_token=${token}`, {
      json: { title: 'X' },
      as: 'anonymous',
    });
    expect(written.status).toBe(401);
  });

  it('files that the release brings are shown', async () => {
    const file = await site.shown(token, '/leaflet/@@download/file', 'editor');
    expect([file.status, file.text]).toEqual([200, 'Summer']);
  });

  it('a revoked link, one of a user without the permission and a made-up one show nothing', async () => {
    const another = await site.release('publisher', 'POST', `/${id}/preview-links`, { title: 'For the board' });
    expect(another.body).toMatchObject({ title: 'For the board', creator: 'publisher' });
    expect(another.body.url).toBe(`${site.url}/?preview_token=${another.body.token}`);
    const { items } = (await site.release('publisher', 'GET', `/${id}/preview-links`)).body;
    expect([items.length, items[0].token]).toEqual([2, undefined]);
    expect((await site.release('publisher', 'DELETE', `/${id}/preview-links/${another.body.id}`)).status).toBe(204);
    expect((await site.shown(another.body.token, path)).status).toBe(403);
    expect((await site.shown(`release_${'A'.repeat(43)}`, path)).status).toBe(403);
    expect((await site.release('editor', 'POST', `/${id}/preview-links`, {})).status).toBe(403);
    const entries = [{ id: 'publisher', type: 'user', roles: { Reviewer: false, Editor: true, Contributor: true } }];
    await site.request('POST', '/@sharing', { json: { entries } });
    expect((await site.shown(token, path)).status).toBe(403);
    entries[0] = { id: 'publisher', type: 'user', roles: { Reviewer: true, Editor: true, Contributor: true } };
    await site.request('POST', '/@sharing', { json: { entries } });
    expect((await site.shown(token, path)).status).toBe(200);
  });

  it('a release that does not work any more says so without details, and a published one is the site', async () => {
    const gone = await site.page('Gone soon');
    const broken = await site.make('admin', [{ method: 'PATCH', path: gone, body: { title: 'X' } }]);
    const link = await site.token('admin', broken);
    await site.request('DELETE', gone);
    const refused = await site.shown(link, '/');
    expect([refused.status, refused.text.includes(gone)]).toEqual([409, false]);
    await site.release('publisher', 'POST', `/${id}/publish`, {});
    expect((await site.shown(token, path)).body.title).toBe('Afterwards');
    expect((await site.request('GET', path, { as: 'anonymous' })).body.title).toBe('Afterwards');
  });
});
