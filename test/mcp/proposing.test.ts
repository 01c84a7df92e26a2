import { beforeAll, expect, it } from 'vitest';
import { peopleOf } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { Agent } from './agent.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describeEachEngine('agents that propose', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'default' }));
  const { addUser, as } = peopleOf(site);
  const tokenOf = async (user: string, scopes: string[], json: object = {}) =>
    (await site.request('POST', '/@access-tokens', { as: as(user), json: { name: 'Claude', scopes, ...json } })).body
      .token;
  const titleOf = async (path: string) => (await site.request('GET', path, { as: 'anonymous' })).body.title;
  const approve = (id: string) => site.request('POST', `/@proposals/${id}/approve`, { json: {} });

  let editor: string;
  let agent: Agent;
  let token: string;
  beforeAll(async () => {
    editor = await addUser(['Editor', 'Contributor', 'Reviewer', 'Member']);
    await site.request('PATCH', '/@controlpanels/language', {
      json: { multilingual: true, available_languages: ['en', 'nl'] },
    });
    await site.request('POST', '/@language-folders', { json: {} });
    for (const id of ['prices', 'old', 'terms']) {
      await site.request('POST', '/en', { json: { '@type': 'Page', id, title: id } });
      await site.request('POST', `/en/${id}/@workflow/publish`);
    }
    token = await tokenOf(editor, ['propose']);
    agent = await Agent.connect(site, token);
  });

  it('Changes, new pages, moves and removals become one proposal, which a person approves.', async () => {
    const { base } = await agent.json('read', { path: '/en/prices', format: 'blocks' });
    const made = await agent.json('propose', {
      title: 'Prices of June',
      comment: 'As decided',
      changes: [
        { action: 'change', path: '/en/prices', fields: { title: 'Prices of June' }, base },
        { action: 'new', path: '/en', type: 'Page', fields: { id: 'june', title: 'June' } },
        { action: 'move', path: '/en/terms', to: '/nl' },
        { action: 'remove', path: '/en/old' },
      ],
    });
    expect(made).toMatchObject({ state: 'pending', problem: null, conflicts: [] });
    expect(await titleOf('/en/prices')).toBe('prices');
    expect((await agent.json('my_proposals')).items[0]).toMatchObject({ id: made.id, title: 'Prices of June' });
    expect(JSON.stringify(await agent.json('proposal_diff', { id: made.id }))).toContain('Prices of June');
    const before = await site.request('POST', `/@proposals/${made.id}/approve`, { as: { token }, json: {} });
    const rejected = await site.request('POST', `/@proposals/${made.id}/reject`, {
      as: { token },
      json: { comment: 'x' },
    });
    expect([before.status, rejected.status]).toEqual([403, 403]);
    expect((await approve(made.id)).status).toBe(200);
    expect(await titleOf('/en/prices')).toBe('Prices of June');
    expect((await agent.json('my_proposals', { id: made.id })).state).toBe('approved');
  });

  it('A translation becomes a new page in the folder of its language.', async () => {
    const made = await agent.json('propose_translation', {
      ...{ title: 'Dutch prices', path: '/en/prices', language: 'nl' },
      fields: { id: 'prijzen', title: 'Prijzen' },
    });
    expect((await approve(made.id)).status).toBe(200);
    const { items } = (await site.request('GET', '/en/prices/@translations')).body;
    expect(items).toMatchObject([{ '@id': `${site.url}/nl/prijzen`, language: 'nl' }]);
    const again = await agent.json('propose_translation', {
      ...{ title: 'Better', path: '/en/prices', language: 'nl', fields: { title: 'Onze prijzen' } },
    });
    expect((await approve(again.id)).status).toBe(200);
    expect((await site.request('GET', '/nl/prijzen')).body.title).toBe('Onze prijzen');
  });

  it('A picture is proposed, and an agent withdraws what it has proposed.', async () => {
    const file = { path: '/en', filename: 'dot.png', content_type: 'image/png', data: PIXEL };
    const made = await agent.json('upload', { title: 'A dot', ...file });
    expect((await approve(made.id)).status).toBe(200);
    expect((await site.request('GET', '/en/dot.png')).body.image).toMatchObject({ width: 1, height: 1 });
    const other = await agent.json('upload', { title: 'Another dot', ...file });
    expect((await agent.json('withdraw', { id: other.id })).state).toBe('withdrawn');
    expect((await approve(other.id)).status).toBe(409);
  });

  it('What cannot work is refused when it is proposed, in words.', async () => {
    for (const [change, words] of [
      [{ action: 'change', path: '/en/none', fields: {} }, '404'],
      [{ action: 'new', path: '/en', type: 'NoSuchType', fields: {} }, 'There is no content type'],
      [{ action: 'change', path: '/@users/admin', fields: {} }, 'not the path of a page'],
      [{ action: 'move', path: '/en/prices' }, '"move" takes "to"'],
    ] as const) {
      const { failed, text } = await agent.call('propose', { title: 'No', changes: [change] });
      expect([failed, text]).toEqual([true, expect.stringContaining(words)]);
    }
  });

  it('An agent without the scope proposes nothing, also on the API.', async () => {
    const reading = await tokenOf(editor, ['read']);
    const body = { title: 'No', requests: [{ method: 'DELETE', path: '/en/prices' }] };
    expect((await site.request('POST', '/@proposals', { as: { token: reading }, json: body })).status).toBe(403);
    const other = await Agent.connect(site, reading);
    expect(await other.tools()).not.toContain('propose');
    await other.close();
  });

  it('A token for a part of the site proposes there.', async () => {
    const there = await Agent.connect(site, await tokenOf(editor, ['propose'], { subtrees: ['/nl'] }));
    const change = (path: string) => ({ action: 'change', path, fields: { title: 'Changed' } });
    expect((await there.json('propose', { title: 'Here', changes: [change('/nl/prijzen')] })).state).toBe('pending');
    expect((await there.call('propose', { title: 'There', changes: [change('/en/prices')] })).failed).toBe(true);
    expect(
      (await there.call('propose', { title: 'Both', changes: [change('/nl/prijzen'), change('/en/prices')] })).failed,
    ).toBe(true);
    await there.close();
  });

  it('The audit log names the agent that has proposed.', async () => {
    const { items } = (await site.request('GET', `/@audit-log?user=${editor}&b_size=200`)).body;
    expect(JSON.stringify(items)).toContain('"by":"agent Claude"');
  });
});
