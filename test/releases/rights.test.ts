import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { type ReleasesSite, startReleasesSite } from './releases-site.ts';

describeEachEngine('releases: who sees and adds what', (engine) => {
  let site: ReleasesSite;
  beforeAll(async () => {
    site = await startReleasesSite(engine);
  });
  afterAll(() => site?.close());

  const change = (path: string, body: Json = { title: 'Changed' }) => ({ method: 'PATCH', path, body });
  const numbers = async (person: Parameters<ReleasesSite['as']>[0], id: string): Promise<number[]> =>
    (await site.release(person, 'GET', `/${id}`)).body.parts.map(({ number }: Json) => number);
  const add = (person: Parameters<ReleasesSite['as']>[0], id: string, ...parts: Json[]) =>
    site.release(person, 'POST', `/${id}/parts`, { parts });

  it('parts of content that a reader may not view are not there, nor are those that refer to them', async () => {
    const open = await site.page('Open');
    await site.request('POST', '/', { json: { '@type': 'Folder', id: 'closed', title: 'Closed' } });
    await site.request('POST', '/closed/@sharing', { json: { inherit: false, entries: [] } });
    const id = await site.make('admin', [
      change(open),
      { method: 'POST', path: '/closed', body: { '@type': 'Page', title: 'Secret plan' } },
      change('{1.@id}', { description: 'Even more secret' }),
    ]);
    expect(await numbers('admin', id)).toEqual([0, 1, 2]);
    expect(await numbers('publisher', id)).toEqual([0]);
    expect((await site.release('publisher', 'GET', `/${id}`)).text).not.toMatch(/ecret/);
    expect((await site.release('publisher', 'DELETE', `/${id}/parts/1`)).status).toBe(404);
    expect((await site.release('publisher', 'PATCH', `/${id}/parts/1`, change(open))).status).toBe(404);
    const checked = await site.release('publisher', 'POST', `/${id}/check`);
    expect([checked.body.ready, checked.text.includes('ecret')]).toEqual([false, false]);
    expect(checked.body.problems).toEqual([expect.objectContaining({ part: null })]);
    expect((await site.release('publisher', 'POST', `/${id}/publish`, {})).status).toBe(403);
    expect((await site.release('admin', 'POST', `/${id}/check`)).body).toMatchObject({ ready: true, problems: [] });
    for (const person of ['reader', 'member'] as const)
      expect((await site.release(person, 'GET', `/${id}`)).status).toBe(403);
    expect((await site.release('anonymous', 'GET', `/${id}`)).status).toBe(401);
  });

  it('an editor may add what somebody else will publish, and the check says what the editor may not', async () => {
    const path = (await site.request('POST', '/', { json: { '@type': 'Page', title: 'Draft' } })).body['@id'];
    const at = path.replace(site.url, '');
    const id = await site.make('editor', [{ method: 'POST', path: `${at}/@workflow/publish`, body: {} }]);
    const own = (await site.release('editor', 'POST', `/${id}/check`)).body;
    expect([own.ready, own.problems[0].part]).toEqual([false, 0]);
    expect((await site.release('publisher', 'POST', `/${id}/check`)).body).toMatchObject({ ready: true });
  });

  it('what cannot work, or is not possible in a release, is refused and changes nothing', async () => {
    const path = await site.page('Page');
    const id = await site.make('editor', [change(path)]);
    const refused = async (...parts: Json[]) => (await add('editor', id, ...parts)).status;
    expect(await refused(change('/nothing'))).toBe(404);
    expect(await refused(change(path, { title: 1 }))).toBe(400);
    expect(await refused({ method: 'GET', path })).toBe(400);
    expect(await refused({ method: 'POST', path: '/@users', body: {} })).not.toBe(201);
    expect(await refused({ method: 'POST', path: `${path}/@sharing`, body: {} })).not.toBe(201);
    expect(await refused(change(`${path}?dry_run=1`))).toBe(400);
    expect(await refused({ method: 'POST', path: `${path}/@workflow/nothing`, body: {} })).toBe(400);
    expect(await refused(change(path), { method: 'DELETE', path: '/nothing' })).toBe(404);
    expect(await refused()).toBe(400);
    const secret = { method: 'PATCH', path: '/@controlpanels/mail', body: { smtp_pass: 'open sesame' } };
    expect((await add('admin', id, secret)).status).toBe(400);
    expect((await add('admin', id, { method: 'POST', path: '/@users', body: {} })).status).toBe(400);
    expect((await add('admin', id, { method: 'POST', path: '/@batch', body: { requests: [] } })).status).toBe(400);
    expect(await numbers('editor', id)).toEqual([0]);
    expect((await site.release('editor', 'POST', '', { title: ' ' })).status).toBe(400);
    expect((await site.release('publisher', 'POST', `/${await site.make('editor', [])}/publish`, {})).status).toBe(400);
  });

  it('parts are replaced and taken out, and keep their numbers', async () => {
    const [one, two] = [await site.page('One'), await site.page('Two')];
    const id = await site.make('editor', [change(one), change(two), change(one, { description: 'One' })]);
    const replaced = await site.release('editor', 'PATCH', `/${id}/parts/1`, change(two, { title: 'Second' }));
    expect([replaced.status, replaced.body.parts[1].body]).toEqual([200, { title: 'Second' }]);
    expect((await site.release('editor', 'DELETE', `/${id}/parts/0`)).status).toBe(204);
    expect((await site.release('editor', 'DELETE', `/${id}/parts/0`)).status).toBe(404);
    expect((await add('editor', id, change(one))).body.added).toEqual([3]);
    expect(await numbers('editor', id)).toEqual([1, 2, 3]);
    const { body } = await site.release('editor', 'PATCH', `/${id}`, { title: 'Autumn', description: 'Colours' });
    expect(body).toMatchObject({ title: 'Autumn', description: 'Colours', state: 'draft' });
    const { changed } = (await site.release('publisher', 'GET', `/${id}`)).body;
    await add('editor', id, change(two, { description: 'Later' }));
    expect((await site.release('publisher', 'POST', `/${id}/publish`, { changed })).status).toBe(409);
    expect((await site.release('editor', 'DELETE', `/${id}`)).status).toBe(204);
    expect((await site.release('editor', 'GET', `/${id}`)).status).toBe(404);
  });

  it('links that would lead nowhere are in the check', async () => {
    const target = await site.page('Target');
    const { UID: uid } = await site.read(target);
    const blocks = { a: { '@type': 'teaser', href: [{ '@id': target }] } };
    const linking = await site.page('Linking', { blocks, blocks_layout: { items: ['a'] } });
    const id = await site.make('publisher', [{ method: 'DELETE', path: target }]);
    expect((await site.request('GET', `/@linkintegrity?uids=${uid}`)).body[0].breaches.length).toBe(1);
    const broken = async () => (await site.release('publisher', 'POST', `/${id}/check`)).body.broken_links;
    expect(await broken()).toEqual([{ '@id': `${site.url}${linking}`, title: 'Linking' }]);
    // The release takes the link away as well.
    await add('publisher', id, change(linking, { blocks: {}, blocks_layout: { items: [] } }));
    expect(await broken()).toEqual([]);
  });

  it('lists are in pages, by state', async () => {
    const list = async (query: string) => (await site.release('editor', 'GET', `?${query}`)).body;
    const { items_total: total } = await list('');
    expect((await list('b_size=1')).items.length).toBe(1);
    expect((await list(`b_size=1&b_start=${total}`)).items_total).toBe(total);
    expect((await list('state=published')).items_total).toBe(0);
    expect((await site.release('editor', 'GET', '?state=x')).status).toBe(400);
  });
});
