import { beforeAll, expect, it } from 'vitest';
import { peopleOf } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { Agent, dataIn, REVISIONS } from './agent.ts';

const READING = ['search', 'list', 'read', 'describe_type', 'explain_access'];

describeEachEngine('agents that read', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'default' }));
  const { addUser, as } = peopleOf(site);
  const tokenOf = async (user: string, scopes: string[]) =>
    (await site.request('POST', '/@access-tokens', { as: as(user), json: { name: 'Agent', scopes } })).body.token;
  const paragraph = (text: string) => ({
    blocks: {
      a: { '@type': 'title' },
      b: { '@type': 'slate', plaintext: text, value: [{ type: 'p', children: [{ text }] }] },
    },
    blocks_layout: { items: ['a', 'b'] },
  });

  let editor: string;
  beforeAll(async () => {
    editor = await addUser(['Editor', 'Contributor', 'Member']);
    await site.request('POST', '/', {
      json: { '@type': 'Page', id: 'open', title: 'Open page', ...paragraph('Everybody reads this.') },
    });
    await site.request('POST', '/open/@workflow/publish');
    await site.request('POST', '/', {
      json: { '@type': 'Page', id: 'draft', title: 'Secret draft', ...paragraph('Nobody reads this.') },
    });
  });

  for (const revision of REVISIONS)
    it(`An agent of a visitor reads what visitors see, in revision ${revision}.`, async () => {
      const agent = await Agent.connect(site, null, revision);
      expect(await agent.tools()).toEqual(READING);
      expect(await agent.json('search', { text: 'reads' })).toMatchObject({
        items: [{ path: '/open', title: 'Open page' }],
      });
      expect(JSON.stringify(await agent.json('list', { path: '/' }))).not.toContain('draft');
      expect(dataIn((await agent.call('read', { path: '/open' })).text)).toContain('Everybody reads this.');
      const refused = await agent.call('read', { path: '/draft' });
      expect([refused.failed, refused.text.includes('Secret')]).toEqual([true, false]);
      await agent.close();
    });

  it('An agent with a token reads what its user may view.', async () => {
    const agent = await Agent.connect(site, await tokenOf(editor, ['read']));
    expect(dataIn((await agent.call('read', { path: `${site.url}/draft` })).text)).toContain('Nobody reads this.');
    const page = await agent.json('read', { path: '/open', format: 'blocks' });
    expect(page).toMatchObject({ title: 'Open page', blocks: { b: { plaintext: 'Everybody reads this.' } } });
    expect(page.base).toMatch(/^"/);
    expect(await agent.json('explain_access', { path: '/draft' })).toMatchObject({
      user: editor,
      scopes: ['read'],
      permissions: { View: { allowed: true } },
    });
    expect((await agent.json('describe_type', { type: 'Page' })).fields.title).toMatchObject({ required: true });
    await agent.close();
  });

  it('Pages are resources.', async () => {
    const agent = await Agent.connect(site, null);
    const { resources } = await agent.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`${site.url}/open`);
    const { contents } = await agent.client.readResource({ uri: `${site.url}/open` });
    expect(JSON.stringify(contents)).toContain('Everybody reads this.');
    await expect(agent.client.readResource({ uri: `${site.url}/draft` })).rejects.toThrow();
    await expect(agent.client.readResource({ uri: 'https://example.org/open' })).rejects.toThrow();
    await agent.close();
  });
});
