import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { type Person, type ProposalsSite, startProposalsSite } from './proposals-site.ts';

const HOUR_MS = 60 * 60_000;

describeEachEngine('proposals: links that show them without a login', (engine) => {
  let site: ProposalsSite;
  let page = '';
  let secret = '';
  beforeAll(async () => {
    site = await startProposalsSite(engine);
    page = await site.page('Before');
    await site.request('POST', '/', { json: { '@type': 'Page', id: 'hidden', title: 'Hidden page' } });
    secret = '/hidden';
  });
  afterAll(() => site?.close());

  const handIn = async (): Promise<string> => {
    const { body } = await site.propose('reader', [
      { method: 'PATCH', path: page, body: { title: 'Afterwards' } },
      { method: 'POST', path: '/', body: { '@type': 'Page', id: 'planned', title: 'Planned page' } },
    ]);
    return body.id;
  };
  const make = (person: Person, id: string, json: Json = {}) =>
    site.request('POST', `/@proposals/${id}/preview-links`, { as: site.as(person), json });
  /** A GET of a whole address by a visitor. */
  const visit = (url: string, headers: Record<string, string> = {}) =>
    site.request('GET', url.slice(site.url.length), { as: 'anonymous', headers });
  const at = (url: string, path: string) => `${url}&path=${encodeURIComponent(path)}`;

  it('a visitor with the link sees each page as it would be, and nothing stays', async () => {
    const id = await handIn();
    const { status, body, headers } = await make('editor', id, { title: 'For the mayor' });
    expect([status, body.title, body.creator, headers.get('location')]).toEqual([
      201,
      'For the mayor',
      'editor',
      body['@id'],
    ]);
    expect(body.url).toBe(`${site.url}/@proposals/${id}/preview?preview_token=${body.token}`);
    const first = await visit(body.url);
    expect([first.status, first.body.title, first.headers.get('cache-control')]).toEqual([
      200,
      'Afterwards',
      'private, no-store',
    ]);
    const { pages, title } = first.body['@components'].proposal;
    expect([title, pages.map(({ path }: Json) => path)]).toEqual(['A proposal', [page, '/planned']]);
    const planned = await visit(pages[1]['@id']);
    expect([planned.body.title, planned.body.review_state]).toEqual(['Planned page', 'private']);
    expect((await visit(`${site.url}/planned`)).status).toBe(404);
    expect((await site.read(page)).title).toBe('Before');
    await site.decide('reader', id, 'withdraw');
    expect((await visit(body.url)).status).toBe(409);
  });

  it('browsers get the page, with links to the other pages of the proposal', async () => {
    const id = await handIn();
    const { body } = await make('editor', id);
    const { status, text, headers } = await visit(body.url, { Accept: 'text/html' });
    expect([status, headers.get('content-type'), headers.get('referrer-policy'), headers.get('x-robots-tag')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-referrer',
      'noindex',
    ]);
    expect(text).toContain('<h1>Afterwards</h1>');
    expect(text).toContain('Preview of a proposal: A proposal');
    expect(text).toContain(`preview?path=%2Fplanned&amp;preview_token=${body.token}`);
    const own = await site.request('GET', `/@proposals/${id}/preview?path=/planned`, {
      as: site.as('editor'),
      headers: { Accept: 'text/html' },
    });
    expect(own.text).toContain('<h1>Planned page</h1>');
    const wrong = await visit(body.url.slice(0, -1), { Accept: 'text/html' });
    expect([wrong.status, wrong.text]).toEqual([404, expect.not.stringContaining('Afterwards')]);
    await site.decide('reader', id, 'withdraw');
  });

  it('the link opens nothing else', async () => {
    const id = await handIn();
    const { body } = await make('admin', id);
    const status = async (url: string) => (await visit(url)).status;
    expect(await status(at(body.url, secret))).toBe(404);
    expect(await status(at(body.url, `${page}/@history`))).toBe(404);
    expect(await status(at(body.url, '/@search?SearchableText=hidden'))).toBe(404);
    const all = await visit(at(body.url, `${page}?expand=navigation,breadcrumbs,actions`));
    expect([all.status, all.text]).toEqual([200, expect.not.stringContaining('Hidden page')]);
    const query = `preview_token=${body.token}`;
    expect(await status(`${site.url}${secret}?${query}`)).toBe(401);
    expect(await status(`${site.url}/@proposals/${id}?${query}`)).toBe(401);
    expect(await status(`${site.url}/@proposals/${id}/preview-links?${query}`)).toBe(401);
    const other = await handIn();
    expect(await status(`${site.url}/@proposals/${other}/preview?${query}`)).toBe(404);
    expect(
      (await site.request('POST', `/@proposals/${id}/approve?${query}`, { as: 'anonymous', json: {} })).status,
    ).toBe(401);
    for (const one of [id, other]) await site.decide('reader', one, 'withdraw');
  });

  it('it ends when it is revoked, when it expires, and with the rights of its maker', async () => {
    const id = await handIn();
    const status = async (url: string) => (await visit(url)).status;
    const revoked = (await make('editor', id)).body;
    const list = (person: Person) => site.request('GET', `/@proposals/${id}/preview-links`, { as: site.as(person) });
    expect((await list('other')).body.items).toEqual([expect.not.objectContaining({ token: expect.anything() })]);
    const address = revoked['@id'].slice(site.url.length);
    expect((await site.request('DELETE', address, { as: site.as('other') })).status).toBe(204);
    expect((await site.request('DELETE', address, { as: site.as('other') })).status).toBe(404);
    expect([await status(revoked.url), (await list('other')).body.items_total]).toEqual([404, 0]);

    const soon = (await make('editor', id, { expires: new Date(Date.now() + HOUR_MS).toISOString() })).body;
    expect(await status(soon.url)).toBe(200);
    await site.kernel.db.query({
      text: `update proposal_link set expires = now() - interval '1 second' where id = $1`,
      values: [soon.id],
    });
    expect(await status(soon.url)).toBe(404);

    const lasting = (await make('editor', id)).body;
    const roles = { Editor: false, Contributor: false, Reviewer: false };
    const share = (given: Json) =>
      site.request('POST', '/@sharing', { json: { entries: [{ id: 'editor', type: 'user', roles: given }] } });
    await share(roles);
    expect(await status(lasting.url)).toBe(404);
    await share({ Editor: true, Contributor: true, Reviewer: true });
    expect(await status(lasting.url)).toBe(200);
    await site.decide('reader', id, 'withdraw');
  });

  it('only those who may do the writes make links, within bounds', async () => {
    const id = await handIn();
    const statuses = await Promise.all(
      (['reader', 'member'] as const).map(async (one) => (await make(one, id)).status),
    );
    expect(statuses).toEqual([403, 404]);
    expect((await make('editor', id, { expires: '2001-01-01T00:00:00Z' })).status).toBe(400);
    expect((await make('editor', id, { expires: '2999-01-01T00:00:00Z' })).status).toBe(400);
    const dry = await site.request('POST', `/@proposals/${id}/preview-links?dry_run=1`, {
      as: site.as('editor'),
      json: {},
    });
    expect(dry.status).toBe(400);
    const many = await Promise.all(Array.from({ length: 21 }, () => make('editor', id)));
    expect(many.filter((one) => one.status === 201)).toHaveLength(20);
    expect(many.find((one) => one.status !== 201)?.body.message).toContain('revoke one');
    const { url } = (await make('other', id)).body;
    const views = await Promise.all(Array.from({ length: 31 }, () => visit(at(url, '/nowhere'))));
    expect(views.map((view) => view.status).sort()).toEqual([...Array(30).fill(404), 429]);
    await site.decide('reader', id, 'withdraw');
    expect((await make('editor', id)).status).toBe(409);
  });
});
