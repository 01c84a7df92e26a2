import { expect, it } from 'vitest';
import { contentOf } from '../history/history-site.ts';
import { startWorker } from '../jobs/job-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE, SITE } from '../support/profiles.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const SIMPLE = 'simple_publication_workflow';

describeEachEngine('workflows of a site', (engine) => {
  const site = useTestSite(engine);
  const { add, addUser, go, read } = contentOf(() => site);
  const ask = (method: string, path: string, json?: Json, as: Who = 'admin') =>
    site.request(method, path, { as, ...(json !== undefined && { json }) });
  async function done(status: number, method: string, path: string, json?: Json): Promise<Json> {
    const { status: code, text, body } = await ask(method, path, json);
    expect(code, text).toBe(status);
    return body;
  }
  const problems = async (method: string, path: string, json: Json): Promise<Json> =>
    Object.fromEntries(
      (await done(400, method, path, json)).errors.map(({ field, message }: Json) => [field, message]),
    );
  const status = async (path: string, as: Who) => (await ask('GET', path, undefined, as)).status;
  const listed = async (as: Who, query: string): Promise<number> =>
    (await ask('GET', `/@search?b_size=0&${query}`, undefined, as)).body.items_total;
  const state = async (path: string) => (await read(path)).review_state;
  let made = 0;
  async function copy(changes: Json = {}): Promise<string> {
    const id = `workflow_${++made}`;
    await done(201, 'POST', '/@workflows', { id, title: id, copy_of: SIMPLE, ...changes });
    return id;
  }

  it('the workflows are listed with the types that have them, and one is shown as it is stored', async () => {
    const all = await read('/@workflows');
    expect(all.map(({ id, types }: Json) => [id, types.includes(PAGE)])).toEqual([
      ['intranet_workflow', false],
      ['one_state_workflow', false],
      [SIMPLE, true],
    ]);
    const one = await read(`/@workflows/${SIMPLE}`);
    expect(one).toMatchObject({
      initial_state: 'private',
      states: { private: { transitions: ['publish', 'submit'] } },
    });
    expect(await done(404, 'GET', '/@workflows/nothing')).toBeDefined();
  });

  it('a type gets another workflow with its content: addresses, lists and the history follow at once, none sees more', async () => {
    const member = await addUser(['Member']);
    const open = await add('/', { '@type': 'Link', remoteUrl: 'https://example.org' });
    const closed = await add('/', { '@type': 'Link', remoteUrl: 'https://example.org' });
    const waiting = await add('/', { '@type': 'Link', remoteUrl: 'https://example.org' });
    await go(open, 'publish');
    await go(waiting, 'submit');
    const binned = await add('/', { '@type': 'Link', remoteUrl: 'https://example.org' });
    await go(binned, 'publish');
    await done(204, 'DELETE', binned);
    expect((await read('/@workflow-types')).Link).toEqual({
      workflow: SIMPLE,
      states: { private: 1, pending: 1, published: 2 },
    });
    expect(await problems('PATCH', '/@workflow-types', { Link: 'intranet_workflow' })).toEqual({
      'Link.state_mapping.published':
        'Say which state of "intranet_workflow" takes the place of "published": content of the type "Link" is in it (2).',
    });
    expect(await listed('anonymous', 'portal_type=Link')).toBe(1);
    await done(204, 'PATCH', '/@workflow-types', {
      Link: { workflow: 'intranet_workflow', state_mapping: { published: 'internally_published' } },
    });
    expect([await state(open), await state(closed), await state(waiting)]).toEqual([
      'internally_published',
      'private',
      'pending',
    ]);
    expect([await status(open, 'anonymous'), await status(open, member), await status(closed, member)]).toEqual([
      401, 200, 403,
    ]);
    expect([await listed('anonymous', 'portal_type=Link'), await listed(member, 'portal_type=Link')]).toEqual([0, 2]);
    expect(await listed('admin', 'portal_type=Link&review_state=internally_published')).toBe(1);
    expect((await read(`${open}/@workflow`)).history.at(-1)).toMatchObject({
      review_state: 'internally_published',
      comments: 'The workflow is another one.',
    });
    const [entry] = (await read('/@recyclebin')).items;
    await ask('POST', `${new URL(entry['@id']).pathname}/restore`, {});
    expect([await state(binned), await status(binned, 'anonymous')]).toEqual(['internally_published', 401]);
    const worker = await startWorker(site.kernel);
    try {
      await expect.poll(async () => (await read('/@jobs'))[0].status, { timeout: 30_000 }).toBe('completed');
    } finally {
      await worker.close();
    }
    expect([await state(open), await listed(member, 'portal_type=Link')]).toEqual(['internally_published', 3]);
    await done(204, 'PATCH', '/@workflow-types', { Link: null });
    expect([await state(open), await status(closed, 'anonymous')]).toEqual([null, 200]);
    await done(204, 'PATCH', '/@workflow-types', { Link: { workflow: SIMPLE, state_mapping: { '': 'published' } } });
    expect([await state(closed), await status(closed, 'anonymous')]).toEqual(['published', 200]);
  });

  it('a mapping moves content between workflows that are alike, and lists follow', async () => {
    const like = await copy();
    const page = await add('/', { '@type': 'News Item' });
    await go(page, 'publish');
    expect(await listed('anonymous', 'portal_type=News Item')).toBe(1);
    await done(204, 'PATCH', '/@workflow-types', {
      'News Item': { workflow: like, state_mapping: { published: 'private' } },
    });
    expect([await state(page), await status(page, 'anonymous')]).toEqual(['private', 401]);
    expect(await listed('anonymous', 'portal_type=News Item')).toBe(0);
    await done(204, 'PATCH', '/@workflow-types', { 'News Item': SIMPLE });
  });

  it('states, transitions, guards and rights of a workflow are changed, and content in a state that goes finds another', async () => {
    const id = await copy();
    await done(204, 'PATCH', '/@workflow-types', { Event: id });
    const dates = { start: '2030-01-01', end: '2030-01-02' };
    const event = await add('/', { '@type': 'Event', ...dates });
    await go(event, 'submit');
    const editor = await addUser(['Editor', 'Member']);
    const names = async (who: Who): Promise<string[]> =>
      (await read(`${event}/@workflow`, who)).transitions.map((entry: Json) => entry['@id'].split('/').at(-1));
    await done(204, 'PATCH', `/@workflows/${id}`, {
      states: {
        archived: {
          title: 'Archived',
          transitions: ['retract'],
          permissions: { View: { roles: ['Manager'], acquire: false } },
        },
        pending: { transitions: ['publish', 'reject', 'retract', 'archive'] },
      },
      transitions: { archive: { title: 'Archive', new_state: 'archived', guard: { groups: ['Reviewers'] } } },
    });
    expect([await names('admin'), await names(editor)]).toEqual([['publish', 'reject', 'retract'], ['retract']]);
    await done(204, 'PATCH', `/@workflows/${id}`, {
      transitions: { archive: { guard: { groups: null, roles: ['Editor'] } } },
    });
    expect(await names(editor)).toEqual(['retract', 'archive']);
    await go(event, 'archive', {}, editor);
    expect([await state(event), await status(event, editor)]).toEqual(['archived', 403]);
    const gone = { states: { archived: null, pending: { transitions: ['publish'] } }, transitions: { archive: null } };
    expect(await problems('PATCH', `/@workflows/${id}`, gone)).toEqual({
      'state_mapping.archived': `Say which state of "${id}" takes the place of "archived": content of the type "Event" is in it (1).`,
    });
    await done(204, 'PATCH', `/@workflows/${id}`, { ...gone, state_mapping: { archived: 'private' } });
    expect([await state(event), await status(event, editor)]).toEqual(['private', 200]);
    await done(204, 'PATCH', `/@workflows/${id}`, { initial_state: 'published' });
    expect(await state(await add('/', { '@type': 'Event', ...dates }))).toBe('published');
    expect((await done(400, 'DELETE', `/@workflows/${id}`)).message).toBe(
      `The content type "Event" has the workflow "${id}". Give it another one first.`,
    );
    await done(204, 'PATCH', '/@workflow-types', { Event: SIMPLE });
    await done(204, 'DELETE', `/@workflows/${id}`);
    await done(404, 'DELETE', `/@workflows/${id}`);
  });

  it('every name that nothing has, and every unknown key, is answered with its place; nothing is changed', async () => {
    const before = await read('/@workflows');
    const changes = {
      colour: 'red',
      states: { private: { title: 'P', transitions: ['publish'], permissions: {}, extra: 1 } },
    };
    expect(
      await problems('POST', '/@workflows', {
        id: 'x',
        title: 'X',
        initial_state: 'private',
        transitions: {},
        ...changes,
      }),
    ).toEqual({
      colour: 'Is no key that Canopy knows.',
      'states.private.extra': 'Is no key that Canopy knows.',
    });
    expect(
      await problems('POST', '/@workflows', {
        id: 'x',
        title: 'X',
        initial_state: 'nowhere',
        states: {
          private: {
            title: 'Private',
            transitions: ['fly'],
            permissions: {
              View: { roles: [], acquire: false },
              'No such permission': { roles: ['Manager'], acquire: false },
              'Modify portal content': { roles: ['Nobody'], acquire: false },
            },
          },
        },
        transitions: {
          walk: {
            title: 'Walk',
            new_state: 'there',
            guard: { roles: ['Nobody'], permissions: ['Walk'], groups: ['walkers'], conditions: ['dry'] },
          },
        },
      }),
    ).toEqual({
      initial_state: 'There is no state "nowhere".',
      'states.private.transitions': 'There is no transition "fly".',
      'states.private.permissions': 'There is no permission "No such permission".',
      'states.private.permissions.View':
        'Nobody could view content in this state any more. Name a role, or acquire the permission.',
      'states.private.permissions.Modify portal content': 'There is no role "Nobody".',
      'transitions.walk.new_state': 'There is no state "there".',
      'transitions.walk.guard.roles': 'There is no role "Nobody".',
      'transitions.walk.guard.permissions': 'There is no permission "Walk".',
      'transitions.walk.guard.groups': 'There is no group "walkers".',
      'transitions.walk.guard.conditions': 'There is no condition "dry".',
    });
    expect(await problems('POST', '/@workflows', { id: 'x', copy_of: 'nothing' })).toEqual({
      copy_of: 'There is no workflow "nothing".',
    });
    expect(await problems('POST', '/@workflows', { id: SIMPLE, copy_of: SIMPLE })).toEqual({
      id: `There is a workflow "${SIMPLE}" already.`,
    });
    expect(await problems('POST', '/@workflows', { id: 'x' })).toMatchObject({ title: 'Is missing.' });
    expect(
      await problems('PATCH', '/@workflow-types', {
        Nothing: SIMPLE,
        [PAGE]: 'nothing',
        File: { workflow: SIMPLE, state_mapping: { a: 'b' } },
      }),
    ).toEqual({
      Nothing: 'There is no content type "Nothing".',
      [`${PAGE}.workflow`]: 'There is no workflow "nothing".',
      'File.state_mapping.a': 'There is no state "b".',
    });
    expect(await read('/@workflows')).toEqual(before);
  });

  it('the type of the site itself keeps Managers in, in each state', async () => {
    const id = await copy({
      states: { published: { permissions: { View: { roles: ['Editor'], acquire: false } } } },
    });
    const place = `${SITE}.states.published.permissions.View`;
    const message = 'The site itself is of a type with this workflow: the role "Manager" keeps this permission.';
    expect(await problems('PATCH', '/@workflow-types', { [SITE]: id })).toEqual({ [place]: message });
    await done(204, 'DELETE', `/@workflows/${id}`);
    expect(
      await problems('PATCH', `/@workflows/${SIMPLE}`, {
        states: { private: { permissions: { 'cmf.ManagePortal': { roles: ['Editor'], acquire: false } } } },
      }),
    ).toEqual({ 'states.private.permissions.cmf.ManagePortal': message });
  });
});
