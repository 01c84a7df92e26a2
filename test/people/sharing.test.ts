import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { peopleOf } from './people-site.ts';

describeEachEngine('sharing', (engine) => {
  const site = useTestSite(engine);
  const { fresh, as, addUser, addGroup, read } = peopleOf(site);

  async function add(container: string, type = PAGE, who: Who = 'admin'): Promise<string> {
    const made = await site.request('POST', container, { as: who, json: { '@type': type, title: fresh('thing') } });
    expect(made.status, made.text).toBe(201);
    return new URL(made.body['@id']).pathname;
  }
  const share = async (path: string, json: Json, who: Who = 'admin') =>
    (await site.request('POST', `${path}/@sharing`, { as: who, json })).status;
  const give = (id: string, roles: Json, type?: string) => ({ entries: [{ id, roles, ...(type ? { type } : {}) }] });
  const view = async (path: string, user: string) => (await site.request('GET', path, { as: as(user) })).status;
  const stored = async (path: string): Promise<Json> => {
    const [row] = await site.kernel.db.query<{ local_roles: Json }>({
      text: 'select local_roles from content where path = $1',
      values: [path],
    });
    return row?.local_roles;
  };

  it('sharing changes the roles that the caller may delegate and leaves all others unchanged', async () => {
    const [editor, user] = [await addUser(), await addUser()];
    const page = await add('/');
    await share(page, give(editor, { Editor: true }));
    await share(page, give(user, { Contributor: true }));
    expect(
      await share(
        page,
        give(user, { Reader: true, Contributor: false, Reviewer: true, Owner: true, Manager: true }),
        as(editor),
      ),
    ).toBe(204);
    expect(await share(page, give('admin', { Owner: false }))).toBe(204);
    expect(await stored(page)).toEqual({
      'user:admin': ['Owner'],
      [`user:${editor}`]: ['Editor'],
      [`user:${user}`]: ['Contributor', 'Reader'],
    });
    const { body } = await site.request('GET', `${page}/@sharing`, { as: as(editor) });
    expect(body.available_roles).toEqual([
      { id: 'Editor', title: 'Can edit' },
      { id: 'Reader', title: 'Can view' },
    ]);
    expect(body.entries.find(({ id }: Json) => id === user).roles).toEqual({ Editor: false, Reader: true });
  });

  it('sharing shows where each role comes from, and sending the response back changes nothing', async () => {
    const user = await addUser(['Reviewer']);
    const folder = await add('/', 'Folder');
    const page = await add(folder);
    await share(folder, give(user, { Reader: true }));
    await share(page, give(user, { Editor: true }));
    const { entries, inherit } = await read(`${page}/@sharing`);
    const entry = entries.find(({ id }: Json) => id === user);
    expect(entry).toEqual({
      id: user,
      login: user,
      title: user,
      type: 'user',
      disabled: false,
      roles: { Contributor: false, Editor: true, Reader: 'acquired', Reviewer: 'global' },
    });
    const before = await stored(page);
    expect(await share(page, { entries, inherit })).toBe(204);
    expect(await stored(page)).toEqual(before);
  });

  it('an entry is the whole set of roles of its user: those that it leaves out are taken away', async () => {
    const [user, other, sharer] = [await addUser(), await addUser(), await addUser(['Contributor'])];
    const page = await add('/', PAGE, as(sharer));
    await share(page, give(user, { Reader: true, Contributor: true }));
    await share(page, give(other, { Reader: true }));
    expect(await share(page, give(user, { Editor: true }))).toBe(204);
    expect(await stored(page)).toMatchObject({ [`user:${user}`]: ['Editor'], [`user:${other}`]: ['Reader'] });
    expect(await share(page, give(user, {}))).toBe(204);
    expect(Object.keys((await stored(page)) ?? {})).toEqual([`user:${sharer}`, `user:${other}`].sort());
  });

  it('roles that the caller may not give stay when an entry leaves them out', async () => {
    const [user, sharer] = [await addUser(), await addUser(['Contributor'])];
    const page = await add('/', PAGE, as(sharer));
    await share(page, give(user, { Reader: true }));
    await site.kernel.db.query({
      text: `update content set local_roles = local_roles || jsonb_build_object($1::text, jsonb_build_array('Manager', 'Reader'))
        where path = $2`,
      values: [`user:${user}`, page],
    });
    expect(await share(page, give(user, {}), as(sharer))).toBe(204);
    expect(await stored(page)).toMatchObject({ [`user:${user}`]: ['Manager'] });
  });

  it('the search of sharing finds people by id and name, not by e-mail address', async () => {
    const owner = await addUser(['Contributor']);
    const key = fresh('hidden');
    await addUser([], { email: `${key}@example.org` });
    const named = await addUser([], { fullname: `Known ${key}` });
    const page = await add('/', PAGE, as(owner));
    const { body } = await site.request('GET', `${page}/@sharing?search=${key}`, { as: as(owner) });
    expect(body.entries.map(({ id }: Json) => id)).toEqual(['AuthenticatedUsers', named]);
    expect(JSON.stringify(body)).not.toContain('@example.org');
  });

  it('roles can be shared with the group of all users under any type, and with groups for their members', async () => {
    const user = await addUser();
    const group = await addGroup({ users: [user] });
    const [one, two] = [await add('/'), await add('/')];
    await share(one, give('AuthenticatedUsers', { Reader: true }, 'user'));
    await share(two, give(group, { Reader: true }));
    expect(await stored(one)).toMatchObject({ 'group:AuthenticatedUsers': ['Reader'] });
    expect([await view(one, user), await view(two, user)]).toEqual([200, 200]);
  });

  it('unknown principals and invalid bodies of sharing are rejected with the whole request', async () => {
    const user = await addUser();
    const page = await add('/');
    const known = { id: user, type: 'user', roles: { Reader: true } };
    for (const json of [
      { entries: [known, { id: 'nobody', type: 'user', roles: { Reader: true } }] },
      { entries: 'all' },
      { entries: [7] },
      { entries: [{ type: 'user', roles: {} }] },
      { entries: [{ id: user, type: 'user' }] },
      { entries: [{ ...known, until: '2030-01-01' }] },
      { entries: [{ ...known, type: 'robot' }] },
      { entries: [{ ...known, roles: ['Reader'] }] },
      { entries: [{ ...known, roles: { Reader: 'yes' } }] },
      { inherit: 'no' },
    ]) {
      expect(await share(page, json), JSON.stringify(json)).toBe(400);
    }
    expect(await stored(page)).toEqual({ 'user:admin': ['Owner'] });
    expect(await share(page, {})).toBe(204);
  });

  it('roles can be taken from a user who no longer exists', async () => {
    const user = await addUser();
    const page = await add('/');
    await share(page, give(user, { Reader: true }));
    await site.request('DELETE', `/@users/${user}?delete_localroles=0`);
    expect((await read(`${page}/@sharing`)).entries).toContainEqual(expect.objectContaining({ id: user, title: user }));
    expect(await share(page, give(user, { Reader: false }))).toBe(204);
    expect(await stored(page)).toEqual({ 'user:admin': ['Owner'] });
  });

  it("stopping the inheritance of roles requires Modify and keeps the caller's own roles", async () => {
    const [editor, reader, reviewer] = [await addUser(), await addUser(), await addUser(['Reviewer'])];
    const folder = await add('/', 'Folder');
    const page = await add(folder);
    await share(folder, {
      entries: [
        { id: editor, roles: { Editor: true } },
        { id: reader, roles: { Reader: true } },
        { id: reviewer, roles: { Reader: true } },
      ],
    });
    expect(await share(page, { inherit: false }, as(reviewer))).toBe(403);
    expect(await share(page, { inherit: true, ...give(reader, { Reviewer: true }) }, as(reviewer))).toBe(204);
    expect(await share(page, { inherit: false }, as(editor))).toBe(204);
    expect([await view(page, editor), await view(page, reader)]).toEqual([200, 403]);
    expect((await stored(page))[`user:${editor}`]).toEqual(['Editor']);
  });

  it('sharing updates the index of viewers for everything below, and only there', async () => {
    const user = await addUser();
    const folder = await add('/', 'Folder');
    const below = [folder, await add(folder, 'Folder')];
    below.push(await add(below[1] ?? ''));
    const beside = await add('/');
    const visible = async () => {
      const rows = await site.kernel.db.query<{ path: string }>({
        text: 'select path from catalog join content using (oid) where $1 = any(allowed) order by path',
        values: [`user:${user}`],
      });
      return rows.map(({ path }) => path);
    };
    await share(folder, give(user, { Reader: true }));
    expect(await visible()).toEqual([...below].sort());
    expect(await view(beside, user)).toBe(403);
    await share(folder, give(user, { Reader: false }));
    expect(await visible()).toEqual([]);
  });

  it('sharing requires the permissions to delegate roles and to view the content', async () => {
    const [reader, reviewer] = [await addUser(), await addUser(['Reviewer'])];
    const page = await add('/');
    await share(page, give(reader, { Reader: true }));
    for (const who of [as(reader), as(reviewer)]) {
      expect((await site.request('GET', `${page}/@sharing`, { as: who })).status).toBe(403);
      expect(await share(page, give(reader, { Editor: true }), who)).toBe(403);
    }
    expect(await share(page, {}, 'anonymous')).toBe(401);
  });
});
