import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { type ReleasesSite, startReleasesSite } from './releases-site.ts';

describeEachEngine('releases: the check names links to what visitors will not see', (engine) => {
  let site: ReleasesSite;
  beforeAll(async () => {
    site = await startReleasesSite(engine);
  });
  afterAll(() => site?.close());

  /** Blocks with a link to content. */
  const linksTo = (path: string): Json => ({
    blocks: {
      one: {
        '@type': 'slate',
        value: [{ type: 'p', children: [{ type: 'link', data: { url: path }, children: [{ text: 'there' }] }] }],
      },
    },
    blocks_layout: { items: ['one'] },
  });
  const hidden = async (id: string, values: Json = {}): Promise<string> => {
    const { status, text } = await site.request('POST', '/', { json: { '@type': 'Page', id, title: id, ...values } });
    expect(status, text).toBe(201);
    return `/${id}`;
  };
  const check = async (id: string, person: 'admin' | 'publisher' | 'editor' = 'admin'): Promise<string[]> => {
    const { status, body, text } = await site.release(person, 'POST', `/${id}/check`);
    expect(status, text).toBe(200);
    return body.private_links.map(
      (link: Json) => `${new URL(link['@id']).pathname} ${new URL(link.target['@id']).pathname}`,
    );
  };
  const transition = (path: string, name: string) => ({ method: 'POST', path: `${path}/@workflow/${name}`, body: {} });

  it('a link of a public page to a private one is named, until the release publishes that, too', async () => {
    const [page, other] = [await site.page('Public'), await hidden('secret')];
    const id = await site.make('admin', [{ method: 'PATCH', path: page, body: linksTo(other) }]);
    expect(await check(id)).toEqual([`${page} ${other}`]);
    await site.release('admin', 'POST', `/${id}/parts`, { parts: [transition(other, 'publish')] });
    expect(await check(id)).toEqual([]);
  });

  it('a page that the release takes back is named with the public pages that link to it', async () => {
    const target = await site.page('Target');
    const from = await site.page('From', linksTo(target));
    const id = await site.make('admin', [transition(target, 'retract')]);
    expect(await check(id)).toEqual([`${from} ${target}`]);
  });

  it('an expired page counts as one that visitors do not see, and a private page may link to it', async () => {
    const target = await site.page('Old');
    const [page, draft] = [await site.page('New'), await hidden('draft')];
    const id = await site.make('admin', [
      { method: 'PATCH', path: page, body: linksTo(target) },
      { method: 'PATCH', path: draft, body: linksTo(target) },
      { method: 'PATCH', path: target, body: { effective: '2000-01-01T00:00:00Z', expires: '2001-01-01T00:00:00Z' } },
    ]);
    expect(await check(id)).toEqual([`${page} ${target}`]);
  });

  it('nobody learns of a target that is closed to them', async () => {
    const [page, other] = [await site.page('Shown'), await hidden('closed')];
    await site.request('POST', `${other}/@sharing`, { json: { inherit: false } });
    const id = await site.make('admin', [{ method: 'PATCH', path: page, body: linksTo(other) }]);
    expect(await check(id)).toEqual([`${page} ${other}`]);
    expect(await check(id, 'publisher')).toEqual([]);
  });

  it('a part that the caller may not do is named with its number, and the release is not ready', async () => {
    const page = await site.page('Guarded');
    const id = await site.make('admin', [
      { method: 'PATCH', path: page, body: { title: 'Guarded well' } },
      { method: 'PATCH', path: '/@controlpanels/site', body: { site_title: 'Other' } },
    ]);
    const { body } = await site.release('publisher', 'POST', `/${id}/check`);
    expect(body.ready).toBe(false);
    expect(body.problems).toEqual([expect.objectContaining({ part: null, status: 403 })]);
    expect((await site.release('admin', 'POST', `/${id}/check`)).body).toMatchObject({ ready: true, problems: [] });
  });
});
