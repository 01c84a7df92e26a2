import { beforeAll, expect, it } from 'vitest';
import { peopleOf } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { Agent } from './agent.ts';

describeEachEngine('tokens of agents', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'default' }));
  const { addUser, as } = peopleOf(site);
  const make = async (user: string, scopes: string[], name = 'Claude') =>
    (await site.request('POST', '/@access-tokens', { as: as(user), json: { name, scopes } })).body;
  const ask = async (token: string, method: string, path: string, json?: object) =>
    site.request(method, path, { as: { token }, ...(json ? { json } : {}) });
  const status = async (...args: Parameters<typeof ask>) => (await ask(...args)).status;

  let editor: string;
  beforeAll(async () => {
    editor = await addUser(['Editor', 'Contributor', 'Reviewer', 'Site Administrator', 'Member']);
    for (const [container, id] of [
      ['/', 'open'],
      ['/', 'closed'],
      ['/closed', 'inside'],
    ])
      await site.request('POST', container ?? '/', { json: { '@type': 'Folder', id, title: id } });
    await site.request('POST', '/open/@workflow/publish');
  });

  it('A token of an agent that reads is good for nothing else, on the whole API.', async () => {
    const { token, scopes } = await make(editor, ['read']);
    expect(scopes).toEqual(['read']);
    expect(await status(token, 'GET', '/closed')).toBe(200);
    expect(
      await status(token, 'POST', '/@querystring-search', {
        query: [{ i: 'portal_type', o: 'plone.app.querystring.operation.selection.any', v: ['Page'] }],
      }),
    ).toBe(200);
    expect(await status(token, 'POST', '/', { '@type': 'Page', title: 'No' })).toBe(403);
    expect(await status(token, 'PATCH', '/closed', { title: 'No' })).toBe(403);
    expect(await status(token, 'POST', '/closed/@workflow/publish')).toBe(403);
    expect(await status(token, 'POST', '/@users', { username: 'x', email: 'x@example.org' })).toBe(403);
    expect(await status(token, 'POST', '/@batch', { requests: [{ method: 'DELETE', path: '/closed' }] })).toBe(403);
  });

  it('An agent that writes changes drafts, and nothing that visitors see.', async () => {
    const { token } = await make(editor, ['write']);
    const made = await ask(token, 'POST', '/closed', { '@type': 'Page', id: 'draft', title: 'A draft' });
    expect([made.status, made.body.review_state]).toEqual([201, 'private']);
    expect(await status(token, 'PATCH', '/closed/draft', { title: 'A better draft' })).toBe(204);
    for (const [method, path, json] of [
      ['PATCH', '/open', { title: 'Defaced' }],
      ['PATCH', '/', { title: 'Defaced' }],
      ['DELETE', '/open', undefined],
      ['POST', '/closed/draft/@workflow/publish', undefined],
      ['POST', '/closed/draft/@workflow/publish', { effective: '2035-01-01T00:00:00Z' }],
      ['POST', '/closed/@move', { source: '/open' }],
      ['POST', '/closed/@copy', { source: '/open' }],
    ] as const) {
      const refused = await ask(token, method, path, json);
      const expected = path === '/closed/@copy' ? 200 : 403;
      expect([method, path, refused.status]).toEqual([method, path, expected]);
    }
    // A copy begins as a draft; the sharing of content is no work for an agent.
    expect(await status(token, 'POST', '/closed/draft/@sharing', { inherit: false })).toBe(403);
    expect(await status(token, 'POST', '/closed/draft/@comments', { text: 'Hello' })).toBe(403);
    expect((await site.request('GET', '/open', { as: 'anonymous' })).body.title).toBe('open');
    expect((await site.request('GET', '/closed/draft', { as: 'anonymous' })).status).toBe(401);
    expect(await status(token, 'DELETE', '/closed/draft')).toBe(204);
  });

  it('An administrator allows a token to publish.', async () => {
    const { token, id } = await make(editor, ['write']);
    const url = `/@users/${editor}/@access-tokens/${id}`;
    await ask(token, 'POST', '/closed', { '@type': 'Page', id: 'news', title: 'News' });
    expect(await status(token, 'PATCH', url, { publishes: true })).toBe(403);
    expect(
      (await site.request('PATCH', url, { as: as(await addUser(['Member'])), json: { publishes: true } })).status,
    ).toBe(403);
    expect((await site.request('PATCH', url, { json: { publishes: 'yes' } })).status).toBe(400);
    expect((await site.request('PATCH', `${url}x`, { json: { publishes: true } })).status).toBe(404);
    expect((await site.request('PATCH', url, { json: { publishes: true } })).status).toBe(204);
    expect(await status(token, 'PATCH', '/open', { title: 'Trusted' })).toBe(204);
    expect((await site.request('PATCH', url, { json: { publishes: false } })).status).toBe(204);
    expect(await status(token, 'PATCH', '/open', { title: 'Not any more' })).toBe(403);
    const { items } = (await site.request('GET', `/@users/${editor}/@access-tokens`)).body;
    expect(items[0]).toMatchObject({ scopes: ['read', 'write'], publishes: false });
    expect(JSON.stringify((await site.request('GET', '/@audit-log?action=access-token')).body)).toContain('publishes');
  });

  it('The audit log has the agent beside its user.', async () => {
    const { token } = await make(editor, ['write'], 'Claude of the office');
    await ask(token, 'POST', '/closed', { '@type': 'Page', id: 'logged', title: 'Logged' });
    const { items } = (await site.request('GET', '/@audit-log?path=/closed/logged')).body;
    expect(items[0]).toMatchObject({
      user: editor,
      action: 'content.created',
      details: { by: 'agent Claude of the office' },
    });
  });

  it('The tools of an agent are those of its scopes.', async () => {
    const toolsOf = async (scopes: string[]) => {
      const agent = await Agent.connect(site, (await make(editor, scopes)).token);
      const names = await agent.tools();
      await agent.close();
      return names;
    };
    expect(await toolsOf(['read'])).not.toContain('write');
    const agent = await Agent.connect(site, (await make(editor, ['write'])).token);
    expect(await agent.tools()).toContain('write');
    const made = await agent.json('write', {
      ...{ action: 'new', path: '/closed', type: 'Page', fields: { id: 'by-tool', title: 'By a tool' } },
    });
    expect(made).toEqual({ done: true, path: '/closed/by-tool' });
    const refused = await agent.call('write', { action: 'transition', path: '/closed/by-tool', transition: 'publish' });
    expect([refused.failed, refused.text]).toEqual([
      true,
      expect.stringContaining('403: Visitors may see /closed/by-tool'),
    ]);
    const lacking = await agent.call('write', { action: 'new', path: '/closed', fields: {} });
    expect([lacking.failed, lacking.text]).toEqual([true, expect.stringContaining('"new" takes "type"')]);
    await agent.close();
  });
});
