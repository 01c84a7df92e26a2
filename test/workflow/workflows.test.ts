import { afterAll, beforeAll, expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { contentOf } from '../history/history-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

describeEachEngine('workflows', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site.close());
  const { add, addUser, share, read, transition, go, configure } = contentOf(() => site);
  const offered = async (path: string, who: Who = 'admin'): Promise<string[]> =>
    (await read(`${path}/@workflow`, who)).transitions.map((entry: Json) => entry['@id'].split('/').at(-1));
  const status = async (path: string, as: Who) => (await site.request('GET', path, { as })).status;
  const useWorkflow = (type: string, workflow: string | null) =>
    configure(KINDS.type, type, (data) => ({ ...data, workflow }));
  it('in the intranet workflow members read internal content, everybody external, and the author private', async () => {
    await useWorkflow('Event', 'intranet_workflow');
    const dates = { start: '2030-01-01', end: '2030-01-02' };
    const [author, member, reviewer] = [
      await addUser(['Contributor', 'Member']),
      await addUser(['Member']),
      await addUser(['Reviewer', 'Member']),
    ];
    const page = await add('/', { '@type': 'Event', ...dates }, author);
    const seen = async () => [
      await status(page, author),
      await status(page, member),
      await status(page, reviewer),
      await status(page, 'anonymous'),
    ];
    expect((await read(page)).review_state).toBe('internal');
    expect(await seen()).toEqual([200, 200, 200, 401]);
    expect(await offered(page, author)).toEqual(['hide', 'submit']);
    expect(await offered(page, member)).toEqual([]);
    await go(page, 'hide', {}, author);
    expect(await seen()).toEqual([200, 403, 403, 401]);
    await go(page, 'show_internally', {}, author);
    await go(page, 'submit', {}, author);
    expect(await offered(page, author)).toEqual(['retract']);
    expect((await site.request('PATCH', page, { as: author, json: { title: 'Late' } })).status).toBe(403);
    expect(await offered(page, reviewer)).toEqual(['publish_internally', 'publish_externally', 'reject']);
    await go(page, 'publish_internally', {}, reviewer);
    expect(await seen()).toEqual([200, 200, 200, 401]);
    await go(page, 'publish_externally', {}, reviewer);
    expect(await seen()).toEqual([200, 200, 200, 200]);
    expect(await offered(page, reviewer)).toEqual([]);
    await go(page, 'retract', {}, author);
    expect((await read(page)).review_state).toBe('internal');
    expect(await status(page, 'anonymous')).toBe(401);
  });

  it('in the single-state workflow content is public at once and has no transitions', async () => {
    await useWorkflow('Collection', 'one_state_workflow');
    const page = await add('/', { '@type': 'Collection' });
    expect((await read(page)).review_state).toBe('published');
    expect(await status(page, 'anonymous')).toBe(200);
    expect(await offered(page)).toEqual([]);
    expect((await transition(page, 'publish')).status).toBe(400);
    expect(await read(`${page}/@history`)).toMatchObject([
      { version: 0 },
      { action: 'Create', review_state: 'published' },
    ]);
  });

  it('content without a workflow has no state, no transitions, and the rights of its container', async () => {
    await useWorkflow('Link', null);
    const folder = await add('/', { '@type': 'Folder' });
    const link = await add(folder, { '@type': 'Link', remoteUrl: 'https://example.org' });
    expect(await read(`${link}/@workflow`)).toMatchObject({ history: [], state: { id: null }, transitions: [] });
    expect(await status(link, 'anonymous')).toBe(401);
    await go(folder, 'publish');
    expect(await status(link, 'anonymous')).toBe(200);
    expect((await transition(link, 'publish')).status).toBe(400);
  });

  it('content whose type got another workflow begins in the initial state of that one', async () => {
    await useWorkflow('News Item', 'simple_publication_workflow');
    const news = await add('/', { '@type': 'News Item' });
    await go(news, 'publish');
    expect(await status(news, 'anonymous')).toBe(200);
    await useWorkflow('News Item', 'intranet_workflow');
    expect(await status(news, 'anonymous')).toBe(401);
    expect((await read(`${news}/@workflow`)).state).toEqual({ id: 'internal', title: 'Internal draft' });
    expect(await offered(news)).toEqual(['hide', 'publish_internally', 'submit'].sort());
    await go(news, 'submit');
    expect((await read(news)).review_state).toBe('pending');
  });

  it('guards of transitions by role and by group hold as long as those are given', async () => {
    const group = 'board';
    await configure(KINDS.workflow, 'one_state_workflow', (data) => ({
      ...data,
      id: 'guarded_workflow',
      states: {
        ...data.states,
        published: { ...data.states.published, transitions: ['by_role', 'by_group', 'by_both', 'free', 'lost'] },
      },
      transitions: {
        by_role: { title: 'Role', new_state: 'published', guard: { roles: ['Editor'] } },
        by_group: { title: 'Group', new_state: 'published', guard: { groups: [group] } },
        by_both: { title: 'Both', new_state: 'published', guard: { roles: ['Editor'], groups: [group] } },
        free: { title: 'Free', new_state: 'published', guard: { permissions: [], roles: [] } },
      },
    }));
    await useWorkflow('Folder', 'one_state_workflow');
    const folder = await add('/', { '@type': 'Folder' });
    const [editor, director, both, local] = [
      await addUser(['Editor']),
      await addUser([], { groups: [group] }),
      await addUser(['Editor'], { groups: [group] }),
      await addUser(),
    ];
    await share(folder, local, 'Editor');
    expect(await offered(folder, 'anonymous')).toEqual(['free']);
    expect(await offered(folder, editor)).toEqual(['by_role', 'free']);
    expect(await offered(folder, director)).toEqual(['by_group', 'free']);
    expect(await offered(folder, both)).toEqual(['by_role', 'by_group', 'by_both', 'free']);
    expect(await offered(folder, local)).toEqual(['by_role', 'free']);
    await useWorkflow('Folder', 'simple_publication_workflow');
  });
});
