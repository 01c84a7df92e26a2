import { beforeAll, expect, it } from 'vitest';
import { rulesOf } from '../content-rules/rule-site.ts';
import { peopleOf } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { useTestSite } from '../support/use-site.ts';
import { Agent } from './agent.ts';

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list', arguments: { path: '/' } } };

describeEachEngine('the bounds of agents', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'default' }));
  const { addUser, as } = peopleOf(site);
  const { addRule, assign } = rulesOf(site);
  const tokenFor = async (user: string, limits: object): Promise<string> =>
    (await site.request('POST', '/@access-tokens', { as: as(user), json: { name: 'Claude', ...limits } })).body.token;
  const statusOf = async (token: string, method: string, path: string, json: object) =>
    (await site.request(method, path, { as: { token }, json })).status;
  const seenByVisitors = async (path: string) => (await site.request('GET', path, { as: 'anonymous' })).status;

  let editor: string;
  beforeAll(async () => {
    editor = await addUser(['Editor', 'Contributor', 'Reviewer', 'Site Administrator', 'Member']);
    for (const id of ['inbox', 'press', 'town'])
      await site.request('POST', '/', { json: { '@type': 'Folder', id, title: id } });
  });

  it('A rule makes nothing public that an agent has set it off for.', async () => {
    const token = await tokenFor(editor, { scopes: ['write'] });
    const publish = { type: 'transition_workflow', transition: 'publish' };
    await assign('/press', await addRule({ actions: [publish] }));
    expect(await statusOf(token, 'POST', '/press', { '@type': PAGE, id: 'direct', title: 'Direct' })).toBe(403);
    const copy = { type: 'copy_item', target_folder: '/press' };
    await assign('/inbox', await addRule({ actions: [copy], cascading: true }));
    // The copy is another object than the agent has made.
    expect(await statusOf(token, 'POST', '/inbox', { '@type': PAGE, id: 'copied', title: 'Copied' })).toBe(403);
    for (const path of ['/press/direct', '/press/copied']) expect(await seenByVisitors(path)).toBe(404);
    const byPerson = { '@type': PAGE, id: 'by-person', title: 'By a person' };
    expect((await site.request('POST', '/inbox', { as: as(editor), json: byPerson })).status).toBe(201);
    expect(await seenByVisitors('/press/by-person')).toBe(200);
  });

  it('A draft changes no field of a public translation that both share.', async () => {
    await site.request('PATCH', '/@controlpanels/language', { json: { available_languages: ['en', 'de'] } });
    await site.request('POST', `/@types/${PAGE}`, {
      json: { id: 'price', factory: 'Integer', title: 'Price', description: '' },
    });
    const shared = { price: { multilingual_options: { language_independent: true } } };
    expect((await site.request('PATCH', `/@types/${PAGE}`, { json: { properties: shared } })).status).toBe(204);
    const page = { '@type': PAGE, id: 'tea', title: 'Tea', language: 'en', price: 3 };
    await site.request('POST', '/town', { json: page });
    await site.request('POST', '/town/tea/@workflow/publish');
    const token = await tokenFor(editor, { scopes: ['write'] });
    const draft = { '@type': PAGE, id: 'tee', title: 'Tee', language: 'de', translation_of: '/town/tea' };
    expect((await site.request('POST', '/town', { json: draft })).status).toBe(201);
    expect(await statusOf(token, 'PATCH', '/town/tee', { price: 9 })).toBe(403);
    expect(await statusOf(token, 'PATCH', '/town/tee', { title: 'Schwarzer Tee' })).toBe(204);
    expect((await site.request('GET', '/town/tea', { as: 'anonymous' })).body.price).toBe(3);
  });

  it('A rehearsal is refused as the write is.', async () => {
    const [reads, writes] = [
      await tokenFor(editor, { scopes: ['read'] }),
      await tokenFor(editor, { scopes: ['write'] }),
    ];
    expect(await statusOf(reads, 'PATCH', '/inbox?dry_run=1', { title: 'No' })).toBe(403);
    expect(await statusOf(writes, 'PATCH', '/town/tea?dry_run=1', { title: 'No' })).toBe(403);
    expect(await statusOf(writes, 'PATCH', '/inbox?dry_run=1', { title: 'Yes' })).toBe(200);
  });

  it('No service that gives rights, or acts later, takes a token of an agent.', async () => {
    const token = await tokenFor(editor, { scopes: ['propose', 'write'] });
    for (const [method, path, json] of [
      ['POST', '/@login-renew', {}],
      ['POST', '/@access-tokens', { name: 'More' }],
      ['POST', '/inbox/@preview-links', {}],
      ['POST', '/inbox/@scheduled-transitions', { transition: 'publish', date: '2035-01-01T00:00:00Z' }],
      ['POST', '/@bulk', {}],
      ['POST', '/@batch', { requests: [{ method: 'GET', path: '/' }] }],
      ['POST', '/@tus-upload', {}],
    ] as const)
      expect([path, await statusOf(token, method, path, json)]).toEqual([path, 403]);
  });

  it('A token has one number of calls, however it is written.', async () => {
    const token = await tokenFor(editor, { scopes: ['read'] });
    await site.request('PATCH', '/@controlpanels/mcp', { json: { calls_per_minute: 2 } });
    const statuses = [];
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `Bearer   ${token}`]) {
      const headers = { 'content-type': 'application/json', authorization };
      const response = await fetch(`${site.url}/@mcp`, { method: 'POST', headers, body: JSON.stringify(CALL) });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    await site.request('PATCH', '/@controlpanels/mcp', { json: { calls_per_minute: 120 } });
  });

  it('With a token for a part of the site, an agent works there without naming it.', async () => {
    const member = await addUser(['Contributor', 'Member']);
    await site.request('POST', '/town', { json: { '@type': PAGE, id: 'hall', title: 'Hall' } });
    await site.request('POST', '/town/hall/@workflow/publish');
    const agent = await Agent.connect(site, await tokenFor(member, { scopes: ['propose'], subtrees: ['/town'] }));
    const found = await agent.json('search', { text: 'Hall' });
    expect(found.items.map(({ path }: { path: string }) => path)).toEqual(['/town/hall']);
    const change = { action: 'change', path: '/town/hall', fields: { title: 'Town hall' } };
    const { id } = await agent.json('propose', { title: 'Better title', changes: [change] });
    expect((await agent.json('my_proposals')).items).toMatchObject([{ id, state: 'pending' }]);
    expect((await agent.json('my_proposals', { path: '/town/tea' })).total).toBe(0);
    expect(await agent.json('proposal_diff', { id })).toMatchObject({ problem: null });
    expect((await agent.json('describe_type')).types).not.toEqual([]);
    expect((await agent.client.listResources()).resources.map(({ uri }) => uri)).toContain(`${site.url}/town/hall`);
    expect(await agent.json('withdraw', { id })).toMatchObject({ id, state: 'withdrawn' });
    await agent.close();
  });
});
