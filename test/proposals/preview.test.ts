import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { type Person, type ProposalsSite, startProposalsSite } from './proposals-site.ts';

describeEachEngine('proposals: the site as it would be', (engine) => {
  let site: ProposalsSite;
  let id = '';
  let path = '';
  beforeAll(async () => {
    site = await startProposalsSite(engine);
    path = await site.page('Before');
    const { body } = await site.propose('reader', [
      { method: 'PATCH', path, body: { title: 'Afterwards' } },
      { method: 'POST', path: '/', body: { '@type': 'Page', id: 'planned', title: 'Planned page' } },
      { method: 'POST', path: '/planned/@workflow/publish', body: {} },
    ]);
    id = body.id;
  });
  afterAll(() => site?.close());

  const preview = (person: Person | 'anonymous', target: string) =>
    site.request('GET', `/@proposals/${id}/preview?path=${encodeURIComponent(target)}`, { as: site.as(person) });
  const titles = (items: Json[]) => items.map(({ title }) => title);

  it('content, navigation and search are as after the approval, and nothing stays', async () => {
    expect((await preview('editor', path)).body.title).toBe('Afterwards');
    expect((await preview('editor', '/planned')).body).toMatchObject({
      title: 'Planned page',
      review_state: 'published',
    });
    expect(titles((await preview('editor', '/@navigation')).body.items)).toContain('Planned page');
    expect(titles((await preview('editor', '/@search?SearchableText=planned')).body.items)).toEqual(['Planned page']);
    expect(titles((await site.request('GET', '/@search?SearchableText=planned')).body.items)).toEqual([]);
    expect((await site.request('GET', '/planned')).status).toBe(404);
    expect([(await site.read(path)).title, (await preview('editor', path)).headers.get('cache-control')]).toEqual([
      'Before',
      'private, no-store',
    ]);
  });

  it('it is for those who may do the writes, and for GET of JSON', async () => {
    const status = async (person: Person | 'anonymous', target: string) => (await preview(person, target)).status;
    expect([await status('anonymous', path), await status('member', path), await status('reader', path)]).toEqual([
      401, 404, 403,
    ]);
    expect([await status('editor', '/nothing'), await status('editor', `${path}/markdown_view`)]).toEqual([404, 400]);
    expect(await status('editor', `/@proposals/${id}/preview`)).toBe(400);
    expect((await site.request('GET', `/@proposals/${id}/preview?path=x`)).status).toBe(400);
    await site.decide('reader', id, 'withdraw');
    expect(await status('admin', path)).toBe(409);
  });
});
