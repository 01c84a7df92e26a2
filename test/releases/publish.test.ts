import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { type ReleasesSite, startReleasesSite } from './releases-site.ts';

describeEachEngine('releases: from the first part to the undo', (engine) => {
  let site: ReleasesSite;
  beforeAll(async () => {
    site = await startReleasesSite(engine);
  });
  afterAll(() => site?.close());

  const change = (path: string, body: Json) => ({ method: 'PATCH', path, body });

  it('edits, new, moved and removed content and transitions go live together, and are undone together', async () => {
    const [prices, old, moved] = [await site.page('Prices'), await site.page('Old'), await site.page('Moved')];
    await site.request('POST', '/', { json: { '@type': 'Folder', id: 'archive', title: 'Archive' } });
    const id = await site.make('editor', [
      change(prices, { description: 'Valid until July' }),
      { method: 'POST', path: '/', body: { '@type': 'Page', id: 'terms', title: 'Terms' } },
      { method: 'POST', path: '{1.@id}/@workflow/publish', body: {} },
      { method: 'POST', path: '/archive/@move', body: { source: moved } },
      { method: 'DELETE', path: old },
    ]);
    const { body } = await site.release('editor', 'GET', `/${id}`);
    expect(body.parts.map(({ number }: Json) => number)).toEqual([0, 1, 2, 3, 4]);
    expect(body.parts[0].path).toMatch(new RegExp(`^${prices}\\?base=`));
    expect([(await site.read(prices)).description, (await site.request('GET', '/terms')).status]).toEqual(['', 404]);

    expect((await site.release('editor', 'POST', `/${id}/publish`, {})).status).toBe(403);
    const published = await site.release('admin', 'POST', `/${id}/publish`, {});
    expect(published.status, published.text).toBe(200);
    expect(published.body).toMatchObject({ state: 'published', published_by: 'admin', problem: null });
    expect(published.body.transactions).toHaveLength(5);
    const after = async () => [
      (await site.read(prices)).description,
      (await site.request('GET', '/terms', { as: 'anonymous' })).status,
      (await site.request('GET', `/archive${moved}`)).status,
      (await site.request('GET', old)).status,
    ];
    expect(await after()).toEqual(['Valid until July', 200, 200, 404]);
    const log = (await site.request('GET', '/@audit-log?b_size=30')).body.items as Json[];
    expect(log.find(({ action }) => action === 'release.published')).toMatchObject({ user: 'admin', name: id });
    expect(log.find(({ action }) => action === 'content.edited')).toMatchObject({ details: { by: `release ${id}` } });
    const [version] = (await site.request('GET', `${prices}/@history`)).body;
    expect(version).toMatchObject({ comments: 'Release: A release' });

    expect((await site.release('publisher', 'POST', `/${id}/undo`)).status).toBe(403);
    const undone = await site.release('admin', 'POST', `/${id}/undo`);
    expect(undone.status, undone.text).toBe(200);
    expect(undone.body).toMatchObject({ state: 'undone', undone_by: 'admin' });
    expect(await after()).toEqual(['', 401, 302, 200].map((value, i) => (i === 1 ? 404 : value)));
    expect((await site.release('admin', 'POST', `/${id}/undo`)).status).toBe(409);
    expect((await site.release('admin', 'POST', `/${id}/publish`, {})).status).toBe(409);
  });

  it('a working copy is checked in when the release is published', async () => {
    const path = await site.page('Original');
    const copy = (await site.request('POST', `${path}/@workingcopy`)).body['@id'].replace(site.url, '');
    await site.request('PATCH', copy, { json: { title: 'Edited in the copy' } });
    const id = await site.make('admin', [{ method: 'PATCH', path: `${copy}/@workingcopy` }]);
    const token = await site.token('admin', id);
    expect((await site.shown(token, path)).body.title).toBe('Edited in the copy');
    expect((await site.read(path)).title).toBe('Original');
    const { status, text } = await site.release('admin', 'POST', `/${id}/publish`, {});
    expect(status, text).toBe(200);
    expect((await site.read(path)).title).toBe('Edited in the copy');
    expect((await site.request('GET', copy)).status).toBe(404);
    expect((await site.release('admin', 'POST', `/${id}/undo`)).body.state).toBe('undone');
    expect((await site.read(path)).title).toBe('Original');
  });

  it('two who publish at once publish once', async () => {
    const path = await site.page('Once');
    const id = await site.make('admin', [
      { method: 'POST', path: '/', body: { '@type': 'Page', id: 'once', title: 'Once' } },
      change(path, { title: 'Twice?' }),
    ]);
    const both = await Promise.all([1, 2, 3].map(() => site.release('admin', 'POST', `/${id}/publish`, {})));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const { items } = await site.read('/');
    expect(items.filter(({ title }: Json) => title === 'Once')).toHaveLength(1);
  });

  it('what others have changed meanwhile is merged, and a conflict stops all', async () => {
    const path = await site.page('Merged', { description: 'Before' });
    const id = await site.make('editor', [
      { method: 'POST', path: '/', body: { '@type': 'Page', id: 'never', title: 'Never' } },
      change(path, { description: 'Release' }),
    ]);
    await site.request('PATCH', path, { json: { title: 'By others', description: 'Others' } });
    expect((await site.release('editor', 'GET', `/${id}`)).body.parts[1].out_of_date).toBe(true);
    const checked = await site.release('publisher', 'POST', `/${id}/check`);
    expect(checked.status, checked.text).toBe(200);
    expect(checked.body).toMatchObject({ ready: false, problems: [], broken_links: [] });
    expect(checked.body.conflicts).toEqual([
      expect.objectContaining({ part: 1, field: 'description', mine: 'Release', theirs: 'Others' }),
    ]);
    const refused = await site.release('publisher', 'POST', `/${id}/publish`, {});
    expect([refused.status, refused.body.conflicts.length]).toEqual([409, 1]);
    expect((await site.request('GET', '/never')).status).toBe(404);
    const done = await site.release('publisher', 'POST', `/${id}/publish`, { on_conflict: 'mine' });
    expect(done.status, done.text).toBe(200);
    expect(await site.read(path)).toMatchObject({ title: 'By others', description: 'Release' });
  });

  it('a release may change the same object twice', async () => {
    const path = await site.page('Twice', { description: 'Before' });
    const id = await site.make('editor', [change(path, { title: 'One' }), change(path, { title: 'Two' })]);
    const more = await site.release('editor', 'POST', `/${id}/parts`, {
      parts: [change(path, { title: 'Three' }), change(path, { description: 'Four' })],
    });
    expect([more.status, more.body.added]).toEqual([201, [2, 3]]);
    expect(more.body.parts.map((part: Json) => part.path.includes('base='))).toEqual([true, false, false, true]);
    const done = await site.release('publisher', 'POST', `/${id}/publish`, {});
    expect(done.status, done.text).toBe(200);
    expect(await site.read(path)).toMatchObject({ title: 'Three', description: 'Four' });
  });

  it('the set-up goes live with the content, and is undone with it', async () => {
    const path = await site.page('About');
    const panel = { method: 'PATCH', path: '/@controlpanels/site', body: { site_title: 'After the release' } };
    expect((await site.release('editor', 'POST', '', { title: 'X', parts: [panel] })).status).toBe(403);
    const id = await site.make('admin', [panel, change(path, { title: 'About us' })]);
    // Only those who manage the site see what is set.
    expect((await site.release('editor', 'GET', `/${id}`)).body.parts.map(({ number }: Json) => number)).toEqual([1]);
    const token = await site.token('admin', id);
    expect((await site.shown(token, '/@site')).body['plone.site_title']).toBe('After the release');
    expect((await site.read('/@site'))['plone.site_title']).not.toBe('After the release');
    expect((await site.release('admin', 'POST', `/${id}/publish`, {})).status).toBe(200);
    expect((await site.read('/@site'))['plone.site_title']).toBe('After the release');
    const undo = await site.release('admin', 'POST', `/${id}/undo`);
    expect([undo.status, undo.body.state]).toEqual([200, 'undone']);
    expect((await site.read('/@site'))['plone.site_title']).not.toBe('After the release');
    expect((await site.read(path)).title).toBe('About');
  });
});
