import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { tidyProposals } from '../../src/features/proposals/expiry.ts';
import { describeEachEngine } from '../support/database.ts';
import { propertyRuns } from '../support/property-runs.ts';
import '../support/property-seed.ts';
import type { Json } from '../support/site.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { type ProposalsSite, startProposalsSite } from './proposals-site.ts';

const DAY_MS = 24 * 60 * 60_000;

describeEachEngine('proposals: bounds, mails and laws', (engine) => {
  let sink: SmtpSink;
  let site: ProposalsSite;
  beforeAll(async () => {
    sink = await startSmtpSink();
    site = await startProposalsSite(engine, { environment: { SMTP_URL: sink.url } });
  });
  afterAll(async () => {
    await site?.close();
    await sink?.close();
  });

  const change = (path: string, body: Json) => ({ method: 'PATCH', path, body });
  const setPanel = (json: Json) => site.request('PATCH', '/@controlpanels/proposals', { json });

  it.each<[string, Json[] | undefined, Json, string]>([
    ['no requests', undefined, {}, 'must be a list of requests'],
    ['an empty list', [], {}, 'must have a request'],
    ['too many requests', Array.from({ length: 101 }, () => change('/', {})), {}, 'must have 100 requests at most'],
    ['no title', [change('/', { title: 'X' })], { title: '  ' }, 'Say what it is about'],
    ['another method', [{ method: 'GET', path: '/' }], {}, 'must be POST, PATCH or DELETE'],
    ['headers', [{ ...change('/', {}), headers: { 'If-Match': 'x' } }], {}, 'headers'],
    ['another host', [change('http://example.org/', {})], {}, 'must be a path that begins with /'],
    ['a user', [{ method: 'POST', path: '/@users', body: { username: 'x' } }], {}, 'not possible in a proposal'],
    ['a setting', [change('/@controlpanels/site', { site_title: 'X' })], {}, 'not possible in a proposal'],
    ['sharing', [{ method: 'POST', path: '/@sharing', body: { inherit: false } }], {}, 'not possible in a proposal'],
    ['a batch', [{ method: 'POST', path: '/@batch', body: { requests: [] } }], {}, 'cannot be in another batch'],
    ['a proposal', [{ method: 'POST', path: '/@proposals', body: {} }], {}, 'cannot be in another batch'],
    ['a dry run', [change('/?dry_run=1', { title: 'X' })], {}, 'Rehearse the batch as a whole'],
    ['a parameter', [change('/?on_conflict=mine', { title: 'X' })], {}, 'is not possible in a proposal'],
    ['a broken base', [change('/?base=x', { title: 'X' })], {}, '"base" must be'],
    ['a broken value', [change('/', { title: 7 })], {}, 'Request 0'],
    ['a reference to nothing', [change('/{0.@id}', { title: 'X' })], {}, 'must lead to an earlier request'],
    ['a broken reviewer', [change('/', { title: 'X' })], { reviewers: ['\u0000'] }, 'reviewers'],
    ['a broken title', [change('/', { title: 'X' })], { title: 'x\u0000' }, 'title'],
    [
      'too many reviewers',
      [change('/', {})],
      { reviewers: Array.from({ length: 21 }, (_, i) => `${i}`) },
      '20 ids at most',
    ],
  ])('a proposal with %s is refused', async (_what, requests, more, message) => {
    const before = (await site.request('GET', '/@proposals')).body.items_total;
    const json = { title: 'A proposal', ...(requests ? { requests } : {}), ...more };
    const { status, text } = await site.request('POST', '/@proposals', { json });
    expect([status, text.includes(message.replaceAll('"', '\\"')), text]).toEqual([400, true, text]);
    expect((await site.request('GET', '/@proposals')).body.items_total).toBe(before);
  });

  it('a hand-in leaves nothing behind, also with a dry run of it', async () => {
    const path = await site.page('Untouched');
    const rows = async () =>
      (await site.kernel.db.query<{ n: number }>({ text: 'select count(*)::int as n from version' }))[0]?.n;
    const before = await rows();
    const json = { title: 'X', requests: [change(path, { title: 'Touched' }), { method: 'DELETE', path }] };
    const dry = await site.request('POST', '/@proposals?dry_run=1', { json });
    expect([dry.status, dry.body.dry_run]).toEqual([201, true]);
    expect((await site.request('GET', `/@proposals/${dry.body.id}`)).status).toBe(404);
    expect((await site.request('POST', '/@proposals', { json })).status).toBe(201);
    expect([await rows(), (await site.read(path)).title]).toEqual([before, 'Untouched']);
    const keyed = { json, headers: { 'Idempotency-Key': 'proposal-once' } };
    const [one, again] = [
      await site.request('POST', '/@proposals', keyed),
      await site.request('POST', '/@proposals', keyed),
    ];
    expect([one.status, again.body.id]).toEqual([201, one.body.id]);
  });

  it('a user has only so many pending proposals, and may not approve them where the site says so', async () => {
    const path = await site.page('Limited');
    await setPanel({ pending_per_user: 1 });
    const first = await site.propose('editor', [change(path, { title: 'One' })]);
    expect(first.status, first.text).toBe(201);
    const second = await site.propose('editor', [change(path, { title: 'Two' })]);
    expect([second.status, second.body.message]).toEqual([
      400,
      expect.stringContaining('You have 1 pending proposals'),
    ]);
    await setPanel({ pending_per_user: 20, self_approval: false });
    expect((await site.proposal('editor', first.body.id)).body.may_approve).toBe(false);
    expect((await site.decide('editor', first.body.id, 'approve')).status).toBe(403);
    await setPanel({ self_approval: true });
    expect((await site.decide('editor', first.body.id, 'approve')).status).toBe(200);
  });

  it('of many approvals at once one is done', async () => {
    const path = await site.page('Contended');
    const { body } = await site.propose('reader', [
      { method: 'POST', path: '/', body: { '@type': 'Page', title: 'Only one' } },
      change(path, { title: 'Once' }),
    ]);
    const statuses = await Promise.all(
      ['editor', 'other', 'admin'].map(
        async (person) => (await site.decide(person as 'editor', body.id, 'approve')).status,
      ),
    );
    expect(statuses.sort()).toEqual([200, 409, 409]);
    expect((await site.request('GET', '/only-one')).status).toBe(200);
    expect((await site.request('GET', '/only-one-1')).status).toBe(404);
  });

  it('old proposals expire and go, and with a user the proposals of that user', async () => {
    const path = await site.page('Old');
    const { body } = await site.propose('contributor', [change(path, { title: 'Too late' })]);
    const signal = new AbortController().signal;
    expect(await tidyProposals(site.kernel, signal)).toEqual({ expired: 0, removed: 0 });
    const later = await tidyProposals(site.kernel, signal, new Date(Date.now() + 91 * DAY_MS));
    expect(later.expired).toBeGreaterThan(0);
    expect((await site.proposal('contributor', body.id)).body).toMatchObject({ state: 'expired', decided_by: null });
    expect((await tidyProposals(site.kernel, signal, new Date(Date.now() + 500 * DAY_MS))).removed).toBeGreaterThan(0);
    expect((await site.proposal('contributor', body.id)).status).toBe(404);
    const other = (await site.propose('other', [change(path, { title: 'X' })])).body;
    await site.request('DELETE', '/@users/other');
    expect((await site.request('GET', `/@proposals/${other.id}`)).status).toBe(404);
  });

  it('reviewers, creators and the address of the panel get mails, others none', async () => {
    await setPanel({ mail_to: 'desk@example.org' });
    const path = await site.page('Mailed');
    const more = { title: 'By mail', comment: 'Please look', reviewers: ['editor', 'nobody', 'member'] };
    const { body } = await site.propose('reader', [change(path, { title: 'X' })], more);
    await setPanel({ mail_to: '' });
    const mailTo = async (address: string, subject: string) => {
      const found = () => sink.mails.filter((mail) => mail.envelope.to.includes(address) && mail.subject === subject);
      await vi.waitFor(() => expect(found()).toHaveLength(1), { timeout: 10_000 });
      return found()[0]?.text ?? '';
    };
    const asked = await mailTo('editor@example.org', 'New proposal: By mail');
    expect(asked).toContain(`/@proposals/${body.id}`);
    expect(asked).toContain('Please look');
    expect(await mailTo('desk@example.org', 'New proposal: By mail')).not.toContain('Please look');
    await site.decide('editor', body.id, 'comments', { text: 'Fine' });
    await mailTo('reader@example.org', 'New comment on the proposal: By mail');
    await site.decide('editor', body.id, 'reject', { comment: 'Not now' });
    expect(await mailTo('reader@example.org', 'Decision on the proposal: By mail')).toContain('Not now');
    const others = sink.mails.filter(
      ({ subject, envelope }) => subject.endsWith('By mail') && envelope.to.includes('member@example.org'),
    );
    expect(others.map(({ subject }) => subject)).toEqual(['New proposal: By mail']);
  });

  it('an approval makes what the same batch of the approver makes', async () => {
    const text = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' }).map((value) => `T${value.trim()}`);
    const edit = fc.record(
      { title: text, description: text, subjects: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')) },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), text, async (edits, title) => {
        const made = await Promise.all([site.page('Same'), site.page('Same')]);
        const [direct = '', proposed = ''] = made;
        const requestsFor = (path: string) =>
          [
            ...edits.map((body) => change(path, body)),
            { method: 'POST', path, body: { '@type': 'Page', id: 'inside', title } },
            change('{@}', { description: title }),
          ].map((request) => ({ ...request, path: request.path.replace('{@}', `{${edits.length}.@id}`) }));
        expect(
          (await site.request('POST', '/@batch', { as: site.as('editor'), json: { requests: requestsFor(direct) } }))
            .status,
        ).toBe(200);
        const handedIn = await site.propose('editor', requestsFor(proposed));
        expect(handedIn.status, handedIn.text).toBe(201);
        const approved = await site.decide('editor', handedIn.body.id, 'approve');
        expect(approved.status, approved.text).toBe(200);
        for (const at of ['', '/inside']) {
          const [one, other] = [await site.read(direct + at), await site.read(proposed + at)];
          for (const name of ['title', 'description', 'subjects', 'review_state', 'creators', 'owner', '@type', 'id'])
            if (at !== '' || name !== 'id') expect([name, other[name]]).toEqual([name, one[name]]);
        }
      }),
      { numRuns: propertyRuns(5, 50) },
    );
  });
});
