import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { type ProposalsSite, startProposalsSite } from './proposals-site.ts';

describeEachEngine('proposals: from the hand-in to the decision', (engine) => {
  let site: ProposalsSite;
  beforeAll(async () => {
    site = await startProposalsSite(engine);
  });
  afterAll(() => site?.close());

  const change = (path: string, body: Json) => ({ method: 'PATCH', path, body });

  it('a reader proposes a change, an editor sees it and approves it', async () => {
    const path = await site.page('Prices', { description: 'Valid until May' });
    const { status, body, headers } = await site.propose(
      'reader',
      [change(path, { description: 'Valid until July' })],
      {
        comment: 'As decided',
        reviewers: ['editor'],
      },
    );
    expect(status, JSON.stringify(body)).toBe(201);
    expect(headers.get('location')).toBe(body['@id']);
    expect(body).toMatchObject({
      state: 'pending',
      creator: 'reader',
      out_of_date: false,
      conflicts: [],
      problem: null,
    });
    expect(body.requests[0].path).toMatch(new RegExp(`^${path}\\?base=`));
    expect((await site.read(path)).description).toBe('Valid until May');
    const seen = (await site.proposal('editor', body.id)).body;
    expect(seen.may_approve).toBe(true);
    const [edited] = seen.changes.filter(({ type }: Json) => type === 'content');
    expect(edited.fields).toContainEqual({
      field: 'description',
      change: 'changed',
      before: 'Valid until May',
      after: 'Valid until July',
      words: [
        {
          at: '',
          pieces: [
            { change: 'kept', text: 'Valid until ' },
            { change: 'removed', text: 'May' },
            { change: 'added', text: 'July' },
          ],
        },
      ],
    });
    const approved = await site.decide('editor', body.id, 'approve', { comment: 'Thank you' });
    expect(approved.status, approved.text).toBe(200);
    expect(approved.body).toMatchObject({
      state: 'approved',
      decided_by: 'editor',
      decision: 'Thank you',
      approved_requests: [0],
      results: [{ request: 0, status: 204 }],
    });
    expect((await site.read(path)).description).toBe('Valid until July');
    const [latest] = (await site.request('GET', `${path}/@history`)).body;
    expect(latest).toMatchObject({ actor: { id: 'reader' }, comments: 'Proposed by reader, approved by editor.' });
    const log = (await site.request('GET', '/@audit-log?b_size=20')).body.items as Json[];
    expect(log.find(({ action }) => action === 'content.edited')).toMatchObject({
      user: 'reader',
      details: { by: `proposal ${body.id}`, approved_by: 'editor' },
    });
    expect(log.find(({ action }) => action === 'proposal.approved')).toMatchObject({ user: 'editor', name: body.id });
    expect((await site.decide('editor', body.id, 'approve')).status).toBe(409);
  });

  it('several writes are one proposal, with references, and those who approve own what is made', async () => {
    const path = await site.page('Moved page');
    await site.request('POST', '/', { json: { '@type': 'Folder', id: 'archive', title: 'Archive' } });
    const gone = await site.page('To be removed');
    const { status, body } = await site.propose('editor', [
      { method: 'POST', path: '/', body: { '@type': 'Folder', title: 'Team' } },
      { method: 'POST', path: '{0.@id}', body: { '@type': 'Page', title: 'Members', changeNote: 'New.' } },
      change('{1.@id}', { description: { $ref: '0.title' } }),
      { method: 'POST', path: '{1.@id}/@workflow/publish', body: { comment: 'For all.' } },
      { method: 'POST', path: '/archive/@move', body: { source: path } },
      change('{4.0.target}', { title: 'Moved and changed' }),
      { method: 'POST', path: '/archive/@copy', body: { source: [gone] } },
      { method: 'DELETE', path: gone },
    ]);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.requests[2].path).toBe('{1.@id}');
    expect(body.requests[5].path).toMatch(/^\{4\.0\.target\}\?base=/);
    expect((await site.request('GET', '/team')).status).toBe(404);
    const approved = await site.decide('admin', body.id, 'approve');
    expect(approved.status, approved.text).toBe(200);
    expect(approved.body.results.map(({ status: one }: Json) => one)).toEqual([201, 201, 204, 200, 200, 204, 200, 204]);
    expect(approved.body.results[1]['@id']).toBe(`${site.url}/team/members`);
    const members = await site.read('/team/members');
    expect(members).toMatchObject({ description: 'Team', review_state: 'published', creators: ['editor'] });
    expect((await site.read(`/archive${path}`)).title).toBe('Moved and changed');
    expect((await site.request('GET', gone)).status).toBe(404);
    expect((await site.request('GET', `/archive${gone}`)).status).toBe(200);
    const { entries } = (await site.request('GET', '/team/members/@sharing')).body;
    expect(entries.filter(({ roles }: Json) => roles.Owner).map(({ id }: Json) => id)).toEqual([]);
    const [published, , made] = (await site.request('GET', '/team/members/@history')).body as Json[];
    expect(published).toMatchObject({
      actor: { id: 'editor' },
      comments: 'For all. Proposed by editor, approved by Administrator.',
    });
    expect(made).toBeDefined();
  });

  it('some of the requests can be approved, as far as the others are not needed for them', async () => {
    const [one, other] = [await site.page('One'), await site.page('Other')];
    const requests = [change(one, { title: 'One more' }), change(other, { title: 'Another' })];
    const { body } = await site.propose('reader', requests);
    expect((await site.decide('editor', body.id, 'approve', { requests: [2] })).status).toBe(400);
    const { body: done } = await site.decide('editor', body.id, 'approve', { requests: [1] });
    expect([done.approved_requests, (await site.read(one)).title, (await site.read(other)).title]).toEqual([
      [1],
      'One',
      'Another',
    ]);
  });

  it('its creator changes and withdraws it, a reviewer rejects it, and those who see it comment', async () => {
    const path = await site.page('Words');
    const { body } = await site.propose('reader', [change(path, { title: 'First' })], {
      reviewers: ['editor', 'nobody'],
    });
    await site.request('PATCH', path, { json: { description: 'Changed meanwhile' } });
    expect((await site.proposal('reader', body.id)).body.out_of_date).toBe(true);
    const url = `/@proposals/${body.id}`;
    const patched = await site.request('PATCH', url, {
      as: site.as('reader'),
      json: { title: 'Other words', requests: [change(path, { title: 'Second' })] },
    });
    expect(patched.status, patched.text).toBe(200);
    expect(patched.body).toMatchObject({ title: 'Other words', out_of_date: false, reviewers: ['editor', 'nobody'] });
    expect((await site.request('PATCH', url, { as: site.as('editor'), json: { title: 'X' } })).status).toBe(403);
    const before = await site.decide('editor', body.id, 'approve', { changed: body.changed });
    expect([before.status, (await site.read(path)).title]).toEqual([409, 'Words']);
    const comment = await site.decide('editor', body.id, 'comments', { text: 'Since when?' });
    expect([comment.status, comment.body.author]).toEqual([201, 'editor']);
    expect((await site.proposal('reader', body.id)).body.comments).toMatchObject([{ text: 'Since when?' }]);
    expect((await site.decide('reader', body.id, 'reject', { comment: 'No' })).status).toBe(403);
    expect((await site.decide('reader', body.id, 'approve')).status).toBe(403);
    const rejected = await site.decide('editor', body.id, 'reject', { comment: 'The words stay' });
    expect(rejected.body).toMatchObject({ state: 'rejected', decision: 'The words stay', changes: [], problem: null });
    expect((await site.read(path)).title).toBe('Words');
    const again = (await site.propose('reader', [change(path, { title: 'Third' })])).body;
    expect((await site.decide('editor', again.id, 'withdraw')).status).toBe(403);
    expect((await site.decide('reader', again.id, 'withdraw')).body.state).toBe('withdrawn');
    for (const what of ['approve', 'reject', 'withdraw'])
      expect((await site.decide('admin', again.id, what, what === 'reject' ? { comment: '' } : {})).status).toBe(409);
  });

  it('two proposals on one page merge, or conflict where both changed the same', async () => {
    const path = await site.page('Merged', { description: 'Old' });
    const [titled, described, conflicting] = [
      (await site.propose('reader', [change(path, { title: 'New title' })])).body,
      (await site.propose('contributor', [change(path, { description: 'New description' })])).body,
      (await site.propose('contributor', [change(path, { title: 'Another title' })])).body,
    ];
    expect((await site.decide('editor', titled.id, 'approve')).status).toBe(200);
    expect((await site.proposal('contributor', described.id)).body).toMatchObject({
      out_of_date: true,
      conflicts: [],
      problem: null,
    });
    expect((await site.decide('editor', described.id, 'approve')).status).toBe(200);
    expect(await site.read(path)).toMatchObject({ title: 'New title', description: 'New description' });
    const seen = (await site.proposal('editor', conflicting.id)).body;
    expect(seen).toMatchObject({ out_of_date: true, may_approve: false, problem: null });
    expect(seen.conflicts).toEqual([
      {
        request: 0,
        '@id': site.url + path,
        field: 'title',
        base: 'Merged',
        mine: 'Another title',
        theirs: 'New title',
      },
    ]);
    const refused = await site.decide('editor', conflicting.id, 'approve');
    expect([refused.status, refused.body.conflicts.length]).toEqual([409, 1]);
    expect((await site.read(path)).title).toBe('New title');
    expect((await site.decide('editor', conflicting.id, 'approve', { on_conflict: 'mine' })).status).toBe(200);
    expect((await site.read(path)).title).toBe('Another title');
  });

  it('content that somebody edits can be proposed to change, and is approved once that ends', async () => {
    const path = await site.page('Locked');
    await site.request('POST', `${path}/@lock`, { as: site.as('other'), json: {} });
    const { body, status } = await site.propose('reader', [change(path, { title: 'Not now' })]);
    expect([status, (await site.proposal('editor', body.id)).body.problem]).toEqual([201, null]);
    expect((await site.decide('editor', body.id, 'approve')).status).toBe(403);
    await site.request('DELETE', `${path}/@lock`, { as: site.as('other'), json: {} });
    expect((await site.decide('editor', body.id, 'approve')).status).toBe(200);
    expect((await site.read(path)).title).toBe('Not now');
  });

  it('what does not work any more says so', async () => {
    const path = await site.page('Short-lived');
    const { body } = await site.propose('reader', [change(path, { title: 'Too late' })]);
    await site.request('DELETE', path);
    const seen = (await site.proposal('reader', body.id)).body;
    expect(seen).toMatchObject({
      out_of_date: true,
      may_approve: false,
      changes: [],
      problem: { request: 0, status: 404 },
    });
    expect(seen.targets).toEqual([{ path }]);
    expect((await site.proposal('editor', body.id)).status).toBe(404);
    expect((await site.decide('admin', body.id, 'approve')).status).toBe(404);
  });
});
