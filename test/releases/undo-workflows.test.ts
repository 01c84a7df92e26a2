import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { type ReleasesSite, startReleasesSite } from './releases-site.ts';

const NOTE = 'News Item';

describeEachEngine('releases: workflows and addresses are undone with the content', (engine) => {
  let site: ReleasesSite;
  beforeAll(async () => {
    site = await startReleasesSite(engine);
    await send('POST', '/@workflows', {
      ...{ id: 'desk', copy_of: 'simple_publication_workflow', title: 'Desk' },
    });
    await send('POST', '/@workflows', { id: 'open', copy_of: 'one_state_workflow', title: 'Open' });
    await send('PATCH', '/@workflow-types', { [NOTE]: 'desk' });
  });
  afterAll(() => site?.close());

  const send = async (method: string, path: string, json?: Json): Promise<Json> => {
    const { status, text, body } = await site.request(method, path, json === undefined ? {} : { json });
    expect(status, text).toBeLessThan(300);
    return body;
  };
  const publish = async (parts: Json[]): Promise<string> => {
    const id = await site.make('admin', parts);
    const { status, text } = await site.release('admin', 'POST', `/${id}/publish`, {});
    expect(status, text).toBe(200);
    return id;
  };
  const undo = (id: string) => site.release('admin', 'POST', `/${id}/undo`);
  const undone = async (id: string): Promise<void> => {
    const { status, text, body } = await undo(id);
    expect([status, body.state], text).toEqual([200, 'undone']);
  };
  const state = async (path: string): Promise<string | null> => (await site.read(path)).review_state;
  const note = async (id: string, ...transitions: string[]): Promise<string> => {
    await send('POST', '/', { '@type': NOTE, id, title: id });
    for (const transition of transitions) await send('POST', `/${id}/@workflow/${transition}`, {});
    return `/${id}`;
  };
  const patch = (path: string, body: Json) => ({ method: 'PATCH', path, body });
  const toOpen = patch('/@workflow-types', {
    [NOTE]: { workflow: 'open', state_mapping: { private: 'published', pending: 'published', published: 'published' } },
  });
  const dropPending = patch('/@workflows/desk', {
    states: { pending: null, private: { transitions: ['publish'] }, published: { transitions: ['retract', 'reject'] } },
    transitions: { submit: null },
    state_mapping: { pending: 'private' },
  });
  const visitor = async (path: string) => (await site.request('GET', path, { as: 'anonymous' })).status;

  it('content that got another workflow has its former states again, in the tree and in the recycle bin', async () => {
    const [hidden, shown] = [await note('hidden'), await note('shown', 'publish')];
    const gone = await note('gone', 'publish');
    const later = await note('later');
    await send('DELETE', gone);
    const id = await publish([patch(hidden, { title: 'Was hidden' }), toOpen, patch(shown, { title: 'Was shown' })]);
    expect([await state(hidden), await state(shown), await visitor(hidden)]).toEqual(['published', 'published', 200]);
    await send('DELETE', later);
    await undone(id);
    expect([await state(hidden), await state(shown)]).toEqual(['private', 'published']);
    expect([await visitor(hidden), await visitor(shown)]).toEqual([401, 200]);
    expect((await site.read(hidden)).title).toBe('hidden');
    const bin = await send('GET', '/@recyclebin');
    for (const { '@id': address, title } of bin.items) {
      await send('POST', `${new URL(address).pathname}/restore`, {});
      expect(await state(`/${title}`)).toBe(title === 'gone' ? 'published' : 'private');
    }
    expect((await send('GET', '/@workflow-types'))[NOTE].workflow).toBe('desk');
    for (const path of [hidden, shown, gone, later]) await send('DELETE', path);
  });

  it('a state that the release has removed comes back with the content in it', async () => {
    const [waiting, other] = [await note('waiting', 'submit'), await note('other')];
    const id = await publish([dropPending, { method: 'POST', path: `${waiting}/@workflow/publish`, body: {} }]);
    expect(await state(waiting)).toBe('published');
    await undone(id);
    expect([await state(waiting), await state(other)]).toEqual(['pending', 'private']);
    const { states } = await send('GET', '/@workflows/desk');
    expect(Object.keys(states).sort()).toEqual(['pending', 'private', 'published']);
    const history = (await send('GET', `${waiting}/@history`)).map(({ comments }: Json) => comments);
    expect(history).toContain('The release that has changed the workflow was undone.');
    for (const path of [waiting, other]) await send('DELETE', path);
  });

  it('is 409 with the reason where content was brought to another state since, or is in one that goes', async () => {
    const page = await note('page');
    const id = await publish([
      { method: 'POST', path: '/@workflows', body: { id: 'rounds', copy_of: 'desk', title: 'Rounds' } },
      patch('/@workflows/rounds', {
        states: { round: { title: 'Round', transitions: ['publish'], permissions: {} } },
        initial_state: 'round',
      }),
      patch('/@workflow-types', { [NOTE]: { workflow: 'rounds', state_mapping: { private: 'round' } } }),
    ]);
    expect(await state(page)).toBe('round');
    const newer = await note('newer');
    const first = await undo(id);
    expect([first.status, first.body.conflicts]).toEqual([
      409,
      [
        expect.objectContaining({
          kind: 'states',
          id: NOTE,
          key: 'round',
          message: expect.stringMatching(/\(1 object\)/),
        }),
      ],
    ]);
    expect(await state(page)).toBe('round');
    await send('DELETE', newer);
    await send('POST', `${page}/@workflow/publish`, {});
    const second = await undo(id);
    expect([second.status, second.body.conflicts?.[0]?.key]).toEqual([409, 'published']);
    await send('POST', `${page}/@workflow/reject`, {});
    expect(await state(page)).toBe('private');
    expect((await undo(id)).status).toBe(409);
    await send('DELETE', page);
    await undone(id);
    expect((await site.request('GET', '/@workflows/rounds')).status).toBe(404);
  });

  it('is 409 with the place where the workflow itself was changed since', async () => {
    const id = await publish([patch('/@workflows/desk', { title: 'Front desk' })]);
    await send('PATCH', '/@workflows/desk', { title: 'Back desk' });
    const { status, body } = await undo(id);
    expect([status, body.conflicts]).toEqual([
      409,
      [{ kind: 'workflow', id: 'desk', key: 'title', message: 'It was changed since.' }],
    ]);
    await send('PATCH', '/@workflows/desk', { title: 'Front desk', description: 'Kept' });
    await undone(id);
    expect(await send('GET', '/@workflows/desk')).toMatchObject({ title: 'Desk', description: 'Kept' });
  });

  it('two releases are undone in the opposite order, and the first alone only where the second has left it', async () => {
    const path = await note('both');
    const first = await publish([toOpen]);
    const second = await publish([patch('/@workflow-types', { [NOTE]: { workflow: null } })]);
    expect(await state(path)).toBe(null);
    const early = await undo(first);
    expect([early.status, early.body.conflicts?.length > 0]).toEqual([409, true]);
    await undone(second);
    expect(await state(path)).toBe('published');
    await undone(first);
    expect(await state(path)).toBe('private');
    await send('DELETE', path);
  });

  it('is 409 where a former state is gone since', async () => {
    const path = await note('waits', 'submit');
    const id = await publish([toOpen]);
    await send('PATCH', '/@workflows/desk', { states: dropPending.body.states, transitions: { submit: null } });
    const { status, body } = await undo(id);
    expect([status, body.conflicts?.at(-1)]).toEqual([
      409,
      expect.objectContaining({ kind: 'states', key: 'pending', message: expect.stringContaining('any more') }),
    ]);
    expect(await state(path)).toBe('published');
    await send('DELETE', path);
    await send('PATCH', '/@workflow-types', { [NOTE]: 'desk' });
  });

  it('content that was made while its type had no workflow gets the first state', async () => {
    const id = await publish([patch('/@workflow-types', { [NOTE]: { workflow: null } })]);
    const path = await note('free');
    expect(await state(path)).toBe(null);
    await undone(id);
    expect(await state(path)).toBe('private');
    await send('DELETE', path);
  });

  const leadsTo = async (path: string): Promise<string | number> => {
    const { status, headers } = await site.request('GET', path);
    return status === 302 ? (headers.get('location') ?? '').replace(site.url, '') : status;
  };

  it('addresses that were added go, and those that were removed lead to their content again', async () => {
    const path = await site.page('Harbour');
    await send('POST', '/@aliases', { items: [{ path: '/elsewhere', 'redirect-to': 'https://example.org/' }] });
    await send('POST', `${path}/@aliases`, { items: ['/port'] });
    const remove = (at: string, alias: string) => ({ method: 'DELETE', path: at, body: { items: [{ path: alias }] } });
    const id = await publish([
      { method: 'POST', path: `${path}/@aliases`, body: { items: ['/docks'] } },
      remove('/@aliases', '/elsewhere'),
      remove(`${path}/@aliases`, '/port'),
      { method: 'POST', path: '/', body: { '@type': 'Page', id: 'quays', title: 'Quays' } },
      { method: 'POST', path: '{3.@id}/@aliases', body: { items: ['/wharfs'] } },
      patch(path, { title: 'The harbour' }),
    ]);
    expect([await leadsTo('/docks'), await leadsTo('/port'), await leadsTo('/wharfs')]).toEqual([path, 404, '/quays']);
    await undone(id);
    expect([await leadsTo('/docks'), await leadsTo('/port'), await leadsTo('/wharfs')]).toEqual([404, path, 404]);
    expect(await leadsTo('/elsewhere')).toBe('https://example.org/');
    expect([(await site.read(path)).title, await leadsTo('/quays')]).toEqual(['Harbour', 404]);
  });

  it('is 400 with the address that leads elsewhere since, and nothing is undone', async () => {
    const [path, other] = [await site.page('Inn'), await site.page('Tavern')];
    const id = await publish([
      patch(path, { title: 'The inn' }),
      { method: 'POST', path: `${path}/@aliases`, body: { items: ['/pub'] } },
    ]);
    await send('DELETE', '/@aliases', { items: [{ path: '/pub' }] });
    await send('POST', `${other}/@aliases`, { items: ['/pub'] });
    const { status, body } = await undo(id);
    expect([status, body.errors?.[0]?.message]).toEqual([400, 'The address /pub leads elsewhere since.']);
    expect([(await site.read(path)).title, await leadsTo('/pub')]).toEqual(['The inn', other]);
    await send('DELETE', '/@aliases', { items: [{ path: '/pub' }] });
    await undone(id);
    expect((await site.read(path)).title).toBe('Inn');
  });

  it('releases that move the same addresses are undone in the opposite order', async () => {
    const [path, other] = [await site.page('Mill'), await site.page('Barn')];
    const first = await publish([{ method: 'POST', path: `${path}/@aliases`, body: { items: ['/farm'] } }]);
    const second = await publish([
      { method: 'DELETE', path: `${path}/@aliases`, body: { items: [{ path: '/farm' }] } },
      { method: 'POST', path: `${other}/@aliases`, body: { items: ['/farm'] } },
    ]);
    expect([(await undo(first)).status, await leadsTo('/farm')]).toEqual([400, other]);
    await undone(second);
    expect(await leadsTo('/farm')).toBe(path);
    await undone(first);
    expect(await leadsTo('/farm')).toBe(404);
  });
});
