import { afterAll, beforeAll, expect, it } from 'vitest';
import { addType } from '../content/add-type.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { type Person, type ProposalsSite, startProposalsSite } from './proposals-site.ts';

describeEachEngine('proposals: who sees what', (engine) => {
  let site: ProposalsSite;
  beforeAll(async () => {
    site = await startProposalsSite(engine);
  });
  afterAll(() => site?.close());

  const change = (path: string, body: Json) => ({ method: 'PATCH', path, body });
  const queue = async (person: Person, query = '', at = ''): Promise<Json> =>
    (await site.request('GET', `${at}/@proposals${query}`, { as: site.as(person) })).body;
  const idsOf = ({ items }: Json): string[] => items.map(({ id }: Json) => id);
  /** A folder with a page that one person may do something in, and others not. */
  async function privatePlace(name: string, roles: Record<string, string[]>): Promise<string> {
    await site.request('POST', '/', { json: { '@type': 'Folder', id: name, title: name } });
    await site.request('POST', `/${name}`, {
      json: { '@type': 'Page', id: 'page', title: 'Secret', description: 'Plan' },
    });
    const entries = Object.entries(roles).map(([id, given]) => ({
      id,
      type: 'user',
      roles: Object.fromEntries(given.map((role) => [role, true])),
    }));
    await site.request('POST', `/${name}/@sharing`, { json: { inherit: false, entries } });
    return `/${name}/page`;
  }

  it('nobody proposes who is not logged in, may not view, or lacks the permission', async () => {
    const path = await site.page('Public');
    const hidden = await privatePlace('hidden', {});
    const status = async (person: Person | 'anonymous', target: string) =>
      (
        await site.request('POST', '/@proposals', {
          as: site.as(person),
          json: { title: 'X', requests: [change(target, { title: 'X' })] },
        })
      ).status;
    expect([await status('anonymous', path), await status('member', path), await status('reader', path)]).toEqual([
      401, 403, 201,
    ]);
    expect([await status('reader', hidden), await status('reader', '/no-such-page')]).toEqual([403, 404]);
  });

  it('a proposal is seen by its creator, by who may do it, and by who is asked and may view all of it', async () => {
    const path = await privatePlace('team', {
      reader: ['Reader'],
      editor: ['Editor'],
      contributor: ['Reader'],
      other: ['Reader'],
    });
    const { body, status } = await site.propose('reader', [change(path, { title: 'Known' })], {
      reviewers: ['other', 'member'],
    });
    expect(status, JSON.stringify(body)).toBe(201);
    const statuses = async (id: string) => {
      const people: Person[] = ['reader', 'editor', 'other', 'contributor', 'member'];
      return Promise.all(people.map(async (person) => (await site.proposal(person, id)).status));
    };
    expect(await statuses(body.id)).toEqual([200, 200, 200, 404, 404]);
    for (const [person, total] of [
      ['reader', 1],
      ['editor', 1],
      ['other', 1],
      ['contributor', 0],
      ['member', 0],
    ] as const)
      expect([person, (await queue(person, '?path=/team')).items_total]).toEqual([person, total]);
    expect((await site.proposal('other', body.id)).body).toMatchObject({ may_approve: false, problem: null });
    expect((await site.proposal('other', body.id)).body.changes.length).toBeGreaterThan(0);
    expect((await site.decide('contributor', body.id, 'comments', { text: 'Hello' })).status).toBe(404);
    expect((await site.decide('other', body.id, 'approve')).status).toBe(403);
    // The creator loses the right to view: what is new there stays hidden.
    await site.request('POST', '/team/@sharing', {
      json: { entries: [{ id: 'reader', type: 'user', roles: { Reader: false } }] },
    });
    await site.request('PATCH', path, { json: { title: 'New secret' } });
    const own = await site.proposal('reader', body.id);
    expect(own.status).toBe(200);
    expect(own.body).toMatchObject({ targets: [{ path }], changes: [], problem: { status: 403 } });
    expect(own.text).not.toContain('New secret');
    expect((await site.decide('editor', body.id, 'approve')).status).toBe(409);
    expect((await site.decide('editor', body.id, 'approve', { on_conflict: 'theirs' })).status).toBe(200);
  });

  it('a rehearsal opens nothing: no copy, move or reference shows what its user may not read', async () => {
    const secret = await privatePlace('vault', {});
    const place = await site.page('Place');
    await site.request('POST', '/', { json: { '@type': 'Folder', id: 'shown', title: 'Shown' } });
    await site.request('POST', '/shown/@workflow/publish', { json: {} });
    const uid = (await site.read(secret)).UID;
    for (const requests of [
      [{ method: 'POST', path: '/shown/@copy', body: { source: secret } }],
      [{ method: 'POST', path: '/shown/@copy', body: { source: [uid] } }],
      [{ method: 'POST', path: '/shown/@move', body: { source: uid } }],
      [change(place, { relatedItems: [uid] })],
      [change(place, { title: `../resolveuid/${uid}` })],
    ]) {
      const { text, status } = await site.propose('reader', requests);
      expect([status, text.includes('Plan'), text.includes('Secret')], text).toEqual([status, false, false]);
      expect(status).toBeLessThan(500);
    }
    for (const requests of [
      [{ method: 'POST', path: `${secret}/@workflow/publish` }],
      [{ method: 'DELETE', path: secret }],
      [{ method: 'POST', path: '/vault', body: { '@type': 'Page', title: 'In' } }],
    ])
      expect((await site.propose('reader', requests)).status).toBe(403);
  });

  it('a conflict at the hand-in has no value that its user may not read', async () => {
    await addType(site.kernel, {
      id: 'Dossier',
      behaviors: ['basic', 'versioning'],
      properties: { remark: { factory: 'Text line (String)', read_permission: 'Modify portal content' } },
    });
    const path = await site.page('Dossier', { '@type': 'Dossier', remark: 'Unread words' });
    await site.request('PATCH', path, { json: { title: 'Second', remark: 'Secret words' } });
    const requests = [change(`${path}?base=0`, { title: 'Third', remark: 'Guessed' })];
    const own = await site.propose('editor', requests);
    expect([own.status, own.text.includes('Secret words')]).toEqual([409, true]);
    // Who may read former versions, and not the field.
    await site.request('POST', `${path}/@sharing`, {
      json: { entries: [{ id: 'contributor', type: 'user', roles: { Contributor: true } }] },
    });
    const { status, body, text } = await site.propose('contributor', requests);
    expect([status, body.request, body.base]).toEqual([409, 0, expect.any(String)]);
    expect(body.conflicts).toEqual([
      { request: 0, '@id': site.url + path, field: 'title', base: 'Dossier', mine: 'Third', theirs: 'Second' },
      { request: 0, '@id': site.url + path },
    ]);
    expect(body.merged).toEqual({ title: 'Second' });
    expect([text.includes('Secret'), text.includes('Unread')]).toEqual([false, false]);
  });

  it('approval needs the rights for each write, and somebody in person', async () => {
    const path = await site.page('In person');
    const { body } = await site.propose('reader', [change(path, { title: 'By a person' })]);
    const made = await site.request('POST', '/@access-tokens', { as: site.as('editor'), json: { name: 'agent' } });
    const as = { token: made.body.token };
    const url = `/@proposals/${body.id}`;
    expect((await site.request('GET', url, { as })).status).toBe(200);
    expect((await site.request('POST', `${url}/approve`, { as, json: {} })).status).toBe(403);
    const hidden = await privatePlace('half', { editor: ['Reader'] });
    const both = (await site.propose('admin', [change(path, { title: 'Both' }), change(hidden, { title: 'Both' })]))
      .body;
    expect((await site.proposal('editor', both.id)).status).toBe(404);
    expect((await site.decide('editor', both.id, 'approve', { requests: [0] })).status).toBe(404);
  });

  it('a token for a part of the site proposes and sees there only', async () => {
    const path = await site.page('Outside');
    await site.request('POST', '/', { json: { '@type': 'Folder', id: 'part', title: 'Part' } });
    await site.request('POST', '/part', { json: { '@type': 'Page', id: 'inside', title: 'Inside' } });
    const made = await site.request('POST', '/@access-tokens', { json: { name: 'narrow', subtrees: ['/part'] } });
    const as = { token: made.body.token };
    const post = (at: string, target: string) =>
      site.request('POST', `${at}/@proposals`, {
        as,
        json: { title: 'X', requests: [change(target, { title: 'X' })] },
      });
    expect((await post('/part', '/part/inside')).status).toBe(201);
    expect((await post('/part', path)).status).toBe(403);
    expect((await post('', '/part/inside')).status).toBe(403);
    const own = (await site.propose('admin', [change(path, { title: 'X' })])).body;
    expect((await site.request('GET', `/part/@proposals/${own.id}`, { as })).status).toBe(404);
    expect((await site.request('GET', '/part/@proposals', { as })).body.items_total).toBe(1);
  });

  it('the queue has filters and parts', async () => {
    const path = await site.page('Queued');
    for (const title of ['Q1', 'Q2', 'Q3'])
      await site.propose('contributor', [change(path, { title })], { title, reviewers: ['editor'] });
    const all = await queue('editor', '?creator=contributor');
    expect(all.items.map(({ title }: Json) => title)).toEqual(['Q3', 'Q2', 'Q1']);
    const part = await queue('editor', '?creator=contributor&b_size=1&b_start=1');
    expect([part.items_total, part.items[0].title, part.batching.prev]).toEqual([
      3,
      'Q2',
      expect.stringContaining('b_start=0'),
    ]);
    expect((await queue('editor', '', path)).items_total).toBe(3);
    expect((await queue('editor', '', '/part')).items.every(({ creator }: Json) => creator === 'admin')).toBe(true);
    expect((await queue('editor', '?reviewer=editor')).items_total).toBe(3);
    expect((await queue('editor', '?reviewer=reader')).items_total).toBe(0);
    await site.decide('contributor', idsOf(all)[0] ?? '', 'withdraw');
    expect((await queue('editor', '?creator=contributor')).items_total).toBe(2);
    expect((await queue('editor', '?creator=contributor&state=withdrawn')).items_total).toBe(1);
    expect((await queue('editor', '?creator=contributor&state=all')).items_total).toBe(3);
    expect((await site.request('GET', '/@proposals?state=nothing')).status).toBe(400);
    expect((await site.request('GET', '/@proposals', { as: 'anonymous' })).status).toBe(401);
  });
});
