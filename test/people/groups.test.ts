import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { useTestSite } from '../support/use-site.ts';
import { PASSWORD, peopleOf } from './people-site.ts';

describeEachEngine('groups', (engine) => {
  const site = useTestSite(engine);
  const { fresh, as, addUser, addGroup, read, status } = peopleOf(site);

  it('a Site Administrator cannot change groups with the role Manager, own or through another group', async () => {
    const helper = await addUser(['Site Administrator']);
    const inner = await addGroup();
    await site.request('PATCH', '/@groups/Administrators', { json: { groups: { [inner]: true } } });
    for (const group of ['Administrators', inner]) {
      for (const json of [{ users: { [helper]: true } }, { users: [helper] }, { title: 'Mine' }, { roles: [] }]) {
        expect(await status('PATCH', `/@groups/${group}`, { as: as(helper), json })).toBe(403);
      }
      expect(await status('DELETE', `/@groups/${group}`, { as: as(helper) })).toBe(403);
    }
    expect((await read('/@groups/Administrators')).members.items).toEqual([inner]);
  });

  it('a map of members adds and removes them, a list replaces all', async () => {
    const [one, two, three] = [await addUser(), await addUser(), await addUser()];
    const inner = await addGroup();
    const group = await addGroup({ users: [one], groups: [inner] });
    const members = async () => (await read(`/@groups/${group}`)).members.items.sort();
    await site.request('PATCH', `/@groups/${group}`, { json: { users: { [two]: true } } });
    expect(await members()).toEqual([inner, one, two].sort());
    await site.request('PATCH', `/@groups/${group}`, { json: { users: [three] } });
    expect(await members()).toEqual([inner, three].sort());
    await site.request('PATCH', `/@groups/${group}`, { json: { users: { [inner]: false, [one]: true } } });
    expect(await members()).toEqual([one, three].sort());
  });

  it('a user who is being made can be put into a group at the same time', async () => {
    const group = await addGroup();
    const berta = fresh('berta');
    const json = { username: berta, email: `${berta}@example.org`, password: PASSWORD, groups: [group] };
    const [joined, made] = await Promise.all([
      status('PATCH', `/@groups/${group}`, { json: { users: { [berta]: true } } }),
      status('POST', '/@users', { json }),
    ]);
    expect([joined, made]).toEqual([204, 201]);
    expect((await read(`/@groups/${group}`)).members.items).toEqual([berta]);
  });

  it('groups come in batches with their number, and are found by id and title', async () => {
    const key = fresh('batch');
    const ids = [await addGroup({ title: `${key} a` }), await addGroup({ title: `${key} b` })];
    const ask = (query: string) => site.request('GET', `/@groups?${query}`);
    const idsOf = ({ body }: { body: { id: string }[] }) => body.map(({ id }) => id);
    expect(idsOf(await ask(`search=${key}`))).toEqual(ids);
    const first = await ask(`search=${key}&b_size=1`);
    expect(idsOf(first)).toEqual([ids[0]]);
    expect(first.headers.get('x-total-count')).toBe('2');
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await ask(next.slice(next.indexOf('?') + 1));
    expect([idsOf(second), second.headers.get('link')]).toEqual([[ids[1]], null]);
    expect(idsOf(await ask('limit=0'))).toEqual([]);
    const all = await ask('b_size=99999');
    expect(all.headers.get('x-total-count')).toBe(String(all.body.length));
    expect(idsOf(all).at(-1)).toBe('AuthenticatedUsers');
  });

  it('unknown members and the group itself are rejected as members together with the whole change', async () => {
    const group = await addGroup({ title: 'Before' });
    for (const json of [
      { users: { nobody: true } },
      { users: ['nobody'] },
      { groups: ['nobody'] },
      { groups: [group] },
      { users: 'x' },
      { users: { x: 'yes' } },
    ]) {
      expect(
        await status('PATCH', `/@groups/${group}`, { json: { ...json, title: 'After' } }),
        JSON.stringify(json),
      ).toBe(400);
    }
    expect(await read(`/@groups/${group}`)).toMatchObject({ title: 'Before', members: { items: [] } });
  });

  it('of simultaneous requests for group names that differ in case only, one succeeds', async () => {
    for (const name of [fresh('race'), fresh('race'), fresh('race')]) {
      const names = [
        name,
        ...[...name].map((letter, at) => name.slice(0, at) + letter.toUpperCase() + name.slice(at + 1)),
      ];
      const all = await Promise.all(names.map((groupname) => status('POST', '/@groups', { json: { groupname } })));
      expect(all.filter((code) => code !== 400)).toEqual([201]);
    }
  });

  it('the members of a group come in batches', async () => {
    const users = [await addUser(), await addUser(), await addUser()].sort();
    const group = await addGroup({ users });
    const { members } = await read(`/@groups/${group}?b_size=2`);
    expect(members).toMatchObject({ items: users.slice(0, 2), items_total: 3, batching: { next: expect.any(String) } });
    expect((await read(members.batching.next)).members.items).toEqual(users.slice(2));
  });

  it('the group of all users is listed, cannot be removed or created, and cannot get the role Manager', async () => {
    expect((await read('/@groups')).at(-1)).toMatchObject({ id: 'AuthenticatedUsers', members: { items: [] } });
    expect(await status('GET', '/@groups/AuthenticatedUsers')).toBe(200);
    expect(await status('PATCH', '/@groups/AuthenticatedUsers', { json: { roles: ['Manager'] } })).toBe(400);
    expect(await status('DELETE', '/@groups/AuthenticatedUsers')).toBe(400);
    expect(await status('POST', '/@groups', { json: { groupname: 'AuthenticatedUsers' } })).toBe(400);
  });

  it('the role Authenticated is not stored when a client sends a group back', async () => {
    const group = await addGroup({ roles: ['Reviewer'] });
    const shown = await read(`/@groups/${group}`);
    expect(shown.roles).toEqual(['Reviewer', 'Authenticated']);
    expect(await status('PATCH', `/@groups/${group}`, { json: shown })).toBe(204);
    expect((await read(`/@groups/${group}`)).roles).toEqual(['Reviewer', 'Authenticated']);
  });

  it.each([
    ['groupname', {}],
    ['groupname', { groupname: '' }],
    ['groupname', { groupname: 'a/b' }],
    ['groupname', { groupname: 3 }],
    ['title', { groupname: 'fine', title: 3 }],
    ['email', { groupname: 'fine', email: 'no address' }],
    ['roles', { groupname: 'fine', roles: ['Owner'] }],
  ])('a new group with an invalid %s is rejected', async (field, json) => {
    const { status, body } = await site.request('POST', '/@groups', { json });
    expect([status, body.error.errors[0].field]).toEqual([400, field]);
  });

  it('a removed group loses its local roles and its memberships', async () => {
    const user = await addUser();
    const group = await addGroup({ users: [user] });
    const outer = await addGroup({ groups: [group] });
    const page = await site.request('POST', '/', { json: { '@type': PAGE, title: fresh('page') } });
    const path = new URL(page.body['@id']).pathname;
    await site.request('POST', `${path}/@sharing`, {
      json: { entries: [{ id: group, type: 'group', roles: { Reader: true } }] },
    });
    expect(await status('GET', path, { as: as(user) })).toBe(200);
    expect(await status('DELETE', `/@groups/${group}`)).toBe(204);
    await addGroup({ groupname: group, users: [user] });
    expect(await status('GET', path, { as: as(user) })).toBe(403);
    expect((await read(`/@groups/${outer}`)).members.items).toEqual([]);
  });

  it('@principals finds users and groups together and requires a text', async () => {
    const key = fresh('both');
    const user = await addUser([], { fullname: `Given ${key}` });
    const group = await addGroup({ title: `Title ${key}` });
    const found = await read(`/@principals?search=${key.toUpperCase()}`);
    expect([found.users[0].id, found.groups[0].id]).toEqual([user, group]);
    expect(await status('GET', '/@principals')).toBe(400);
    expect(await status('GET', '/@principals?search=%00')).toBe(400);
    expect(await status('GET', `/@principals?search=${key}`, { as: as(user) })).toBe(403);
  });

  it('@roles lists the roles that users and groups can be given', async () => {
    const roles = await read('/@roles');
    const ids = roles.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(['Member', 'Reader', 'Contributor', 'Editor', 'Reviewer', 'Site Administrator', 'Manager']);
    for (const role of roles) expect(await read(role['@id'])).toEqual(role);
    expect(await status('GET', '/@roles/Owner')).toBe(404);
  });
});
