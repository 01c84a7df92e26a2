import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type Exchange, type Json, startTestSite, type TestSite } from '../support/site.ts';
import { addType } from './add-type.ts';

const PASSWORD = 'a long password';
type Person = { login: string; password: string };

describeEachEngine('a change from a form whose lock has ended', (engine) => {
  let site: TestSite;
  const [ann, bob, writer] = ['ann', 'bob', 'writer'].map((login) => ({ login, password: PASSWORD })) as [
    Person,
    Person,
    Person,
  ];
  let pages = 0;

  beforeAll(async () => {
    site = await startTestSite(engine);
    for (const [username, role] of [
      ['ann', 'Editor'],
      ['bob', 'Editor'],
      ['writer', 'Member'],
    ])
      await site.request('POST', '/@users', {
        json: { username, email: `${username}@example.org`, password: PASSWORD, roles: ['Member', role] },
      });
    await addType(site.kernel, { id: 'Plain' });
  });
  afterAll(() => site?.close());

  const page = async (values: Json = {}): Promise<string> => {
    pages += 1;
    const json = { '@type': 'Page', id: `page-${pages}`, title: 'First', description: 'One two three', ...values };
    expect((await site.request('POST', '/', { json })).status).toBe(201);
    return `/page-${pages}`;
  };
  const open = async (path: string, as: Person): Promise<Json> =>
    (await site.request('POST', `${path}/@lock`, { as, json: {} })).body;
  const close = (path: string, as: Person, json: Json = {}): Promise<Exchange> =>
    site.request('DELETE', `${path}/@lock`, { as, json });
  const save = (path: string, as: Person, token: string | undefined, json: Json): Promise<Exchange> =>
    site.request('PATCH', path, { as, json, headers: token === undefined ? {} : { 'Lock-Token': token } });
  const read = async (path: string): Promise<Json> => (await site.request('GET', path)).body;
  /** Ends all locks of content, as time does. */
  const expire = (path: string) =>
    site.kernel.db.query({
      text: `update content set lock = jsonb_set(lock, '{created}', '"2001-01-01T00:00:00.000Z"') where path = $1`,
      values: [path],
    });

  it('what others have saved after it ran out is merged with it', async () => {
    const path = await page();
    const { token } = await open(path, ann);
    await expire(path);
    const other = await open(path, bob);
    expect((await save(path, ann, token, { title: 'Not now' })).status).toBe(403);
    expect((await save(path, bob, other.token, { title: 'Second', description: 'One two four' })).status).toBe(204);
    await close(path, bob);
    expect((await save(path, ann, token, { description: 'Zero two three' })).status).toBe(204);
    expect(await read(path)).toMatchObject({ title: 'Second', description: 'Zero two four' });
  });

  it('somebody who opens content that is locked saves once it is free, and loses nothing of the other', async () => {
    const path = await page();
    const first = await open(path, ann);
    const second = await open(path, bob);
    expect(second).toMatchObject({ locked: true, creator: 'ann', token: expect.any(String) });
    expect(second.token).not.toBe(first.token);
    expect((await site.request('GET', path, { as: bob })).body.lock.token).toBe(second.token);
    expect((await site.request('GET', path, { as: ann })).body.lock.token).toBe(first.token);
    expect((await save(path, bob, second.token, { title: 'Bob' })).status).toBe(403);
    await save(path, ann, first.token, { title: 'Ann' });
    await close(path, ann);
    const { status, body } = await save(path, bob, second.token, { title: 'Bob' });
    expect([status, body.message]).toEqual([409, expect.stringContaining('Nothing was saved')]);
    expect(body.conflicts).toEqual([{ field: 'title', base: 'First', mine: 'Bob', theirs: 'Ann' }]);
    expect((await save(path, bob, second.token, { description: 'One two' })).status).toBe(204);
    expect(await read(path)).toMatchObject({ title: 'Ann', description: 'One two' });
  });

  it('a lock that somebody removed by force, and two forms of one user, overwrite nothing', async () => {
    const path = await page();
    const { token } = await open(path, ann);
    await close(path, bob, { force: true });
    await save(path, bob, (await open(path, bob)).token, { title: 'Bob' });
    await close(path, bob);
    expect((await save(path, ann, token, { title: 'Ann' })).status).toBe(409);
    const [one, other] = [await open(path, ann), await open(path, ann)];
    expect(one.token).not.toBe(other.token);
    await save(path, ann, one.token, { title: 'In the first form' });
    await close(path, ann);
    expect((await save(path, ann, other.token, { title: 'In the second form' })).status).toBe(409);
    expect((await read(path)).title).toBe('In the first form');
  });

  it('a lock that counts merges nothing, and a transition is no change of what is written', async () => {
    const path = await page();
    const { token } = await open(path, ann);
    for (const title of ['Second', 'First', 'Third', 'First'])
      expect((await save(path, ann, token, { title })).status).toBe(204);
    expect((await read(path)).title).toBe('First');
    await close(path, ann);
    await site.request('POST', `${path}/@workflow/publish`, { json: {} });
    const again = await open(path, ann);
    await close(path, ann);
    await site.request('POST', `${path}/@workflow/retract`, { json: {} });
    expect((await save(path, ann, again.token, { title: 'Fourth' })).status).toBe(204);
    expect((await read(path)).title).toBe('Fourth');
  });

  it('what cannot be merged is rejected: without versions, and for who may not read them', async () => {
    const plain = await page({ '@type': 'Plain' });
    const { token } = await open(plain, ann);
    await close(plain, ann);
    await site.request('PATCH', plain, { json: { title: 'Second' } });
    expect((await save(plain, ann, token, { description: 'Other' })).status).toBe(409);
    const path = await page();
    await site.request('POST', `${path}/@sharing`, {
      json: { entries: [{ id: 'writer', type: 'user', roles: { Reader: true } }] },
    });
    const others = ['Owner', 'Editor', 'Manager', 'Site Administrator'];
    const roles = { 'Modify portal content': { roles: [...others, 'Reader'], acquire: false } };
    await site.kernel.db.query({
      text: 'update content set local_permissions = $2 where path = $1',
      values: [path, JSON.stringify(roles)],
    });
    const opened = await open(path, writer);
    await close(path, writer);
    await site.request('PATCH', path, { json: { title: 'Second' } });
    expect((await save(path, writer, opened.token, { description: 'Other' })).body).toMatchObject({ type: 'Conflict' });
  });

  it('a site that switches it off, or that has no locks, decides for itself', async () => {
    const path = await page();
    const set = (json: Json) => site.request('PATCH', '/@controlpanels/editing', { json });
    expect((await set({ lock_on_ttw_edit: false })).status).toBe(204);
    const { locked, token } = await open(path, ann);
    expect([locked, typeof token]).toEqual([false, 'string']);
    await save(path, bob, undefined, { title: 'Bob' });
    expect((await save(path, ann, token, { title: 'Ann' })).status).toBe(409);
    expect((await set({ merge_ended_locks: false })).status).toBe(204);
    expect((await save(path, ann, token, { title: 'Ann' })).status).toBe(204);
    expect((await read(path)).title).toBe('Ann');
    await set({ lock_on_ttw_edit: true, merge_ended_locks: true });
  });
});
