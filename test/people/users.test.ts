import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { PASSWORD, peopleOf } from './people-site.ts';

describeEachEngine('users', (engine) => {
  const site = useTestSite(engine);
  const { fresh, as, addUser, addGroup, read, status } = peopleOf(site);

  it('ids and login names of users and groups are unique in upper and lower case', async () => {
    const user = await addUser();
    const group = await addGroup();
    await site.request('PATCH', `/@users/${user}`, { json: { username: `${user}-login` } });
    for (const username of [user.toUpperCase(), `${user}-LOGIN`, group.toUpperCase(), 'authenticatedusers']) {
      const json = { username, password: PASSWORD, email: 'x@example.org' };
      const { status, body } = await site.request('POST', '/@users', { json });
      expect([status, body?.error?.errors?.[0]?.field], username).toEqual([400, 'username']);
    }
    expect(await status('POST', '/@groups', { json: { groupname: user.toUpperCase() } })).toBe(400);
    const other = await addUser();
    expect(await status('PATCH', `/@users/${other}`, { json: { username: user } })).toBe(400);
  });

  it.each([
    ['username', { username: 'a b' }],
    ['username', { username: '../x' }],
    ['username', { username: '@x' }],
    ['username', { username: 'x'.repeat(300) }],
    ['username', { username: 7 }],
    ['email', { email: 'a@b@c' }],
    ['email', { email: ['x@example.org'] }],
    ['password', { password: 'short' }],
    ['password', { password: 12345678 }],
    ['password', { password: 'x'.repeat(2000) }],
    ['fullname', { fullname: 'a\u0000b' }],
    ['fullname', { fullname: { a: 1 } }],
    ['home_page', { home_page: 'javascript:alert(1)' }],
    ['roles', { roles: ['Owner'] }],
    ['roles', { roles: ['No such role'] }],
    ['roles', { roles: 'Manager' }],
    ['groups', { groups: [7] }],
    ['groups', { groups: ['no-such-group'] }],
    ['sendPasswordReset', { sendPasswordReset: true }],
  ])('a user with an invalid %s is rejected and not created', async (field, bad) => {
    const username = fresh('bad');
    const json = { username, password: PASSWORD, email: 'x@example.org', ...bad };
    const { status, body } = await site.request('POST', '/@users', { json });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: 'WrongParameterError', errors: [{ field, message: expect.any(String) }] });
    expect((await site.request('GET', `/@users/${username}`)).status).toBe(404);
  });

  it('new users join groups given as a list or as items', async () => {
    const group = await addGroup();
    const one = await addUser([], { groups: [group] });
    const two = await addUser([], { groups: { items: [{ id: group }, { id: 'AuthenticatedUsers' }] } });
    expect((await read(`/@groups/${group}`)).members.items).toEqual([one, two]);
  });

  it('a user is shown with nested groups and the roles of all of them', async () => {
    const inner = await addGroup({ roles: ['Reader'] });
    const outer = await addGroup({ title: 'Outer', roles: ['Editor'], groups: [inner] });
    const user = await addUser(['Member'], { groups: [inner] });
    const { roles, groups } = await read(`/@users/${user}`);
    expect(roles).toEqual(['Editor', 'Member', 'Reader']);
    expect(groups.items).toContainEqual({ id: outer, title: 'Outer' });
    const listed = (await read(`/@users?groups-filter=${outer}`)).map(({ id }: { id: string }) => id);
    expect(listed).toEqual([user]);
  });

  it('sending a user back as it was shown changes nothing', async () => {
    const group = await addGroup({ roles: ['Reviewer'] });
    const user = await addUser(['Member'], { groups: [group], description: 'Two\nlines' });
    const before = await read(`/@users/${user}`);
    expect(await status('PATCH', `/@users/${user}`, { as: as(user), json: before })).toBe(204);
    expect(await status('PATCH', `/@users/${user}`, { json: before })).toBe(204);
    await site.request('PATCH', `/@groups/${group}`, { json: { users: { [user]: false } } });
    expect((await read(`/@users/${user}`)).roles).toEqual(['Member']);
  });

  it('characters of patterns are searched for as they are', async () => {
    const user = await addUser([], { fullname: 'A%_b' });
    expect((await read('/@users?search=%25_')).map(({ id }: { id: string }) => id)).toEqual([user]);
  });

  it('pages of users link the next page', async () => {
    const key = fresh('part');
    for (const n of [1, 2, 3]) await addUser([], { username: `${key}-${n}`, fullname: `${n}` });
    const first = await site.request('GET', `/@users?query=${key}&limit=2`);
    expect(first.body).toHaveLength(2);
    const [, next = ''] = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await site.request('GET', next);
    expect(second.body.map(({ id }: { id: string }) => id)).toEqual([`${key}-3`]);
    expect(second.headers.get('link')).toBeNull();
    expect(await status('GET', '/@users?limit=many')).toBe(400);
  });

  it('a changed password invalidates all tokens, and guesses of the old one are throttled', async () => {
    const user = await addUser();
    const { token } = (await site.request('POST', '/@login', { as: 'anonymous', json: as(user) })).body;
    const change = (json: object) => status('POST', `/@users/${user}/reset-password`, { as: { token }, json });
    expect(await change({ old_password: 'wrong', new_password: 'Other-pass-88!' })).toBe(403);
    expect(await change({ old_password: PASSWORD, new_password: 'short' })).toBe(400);
    expect(await change({ old_password: PASSWORD })).toBe(400);
    expect(
      await status('POST', `/@users/admin/reset-password`, {
        as: { token },
        json: { old_password: 'admin', new_password: 'Other-pass-88!' },
      }),
    ).toBe(403);
    expect(await status('GET', `/@users/${user}`, { as: { token } })).toBe(200);
    expect(await change({ old_password: PASSWORD, new_password: 'Other-pass-88!' })).toBe(200);
    expect(await status('GET', `/@users/${user}`, { as: { token } })).toBe(401);
    expect(await status('GET', `/@users/${user}`, { as: as(user, 'Other-pass-88!') })).toBe(200);
    for (let n = 0; n < 10; n += 1) {
      await site.request('POST', `/@users/${user}/reset-password`, {
        as: as(user, 'Other-pass-88!'),
        json: { old_password: 'x', new_password: PASSWORD },
      });
    }
    const json = { old_password: 'Other-pass-88!', new_password: PASSWORD };
    const session = (await site.request('POST', '/@login', { as: 'anonymous', json: as(user, 'Other-pass-88!') }))
      .status;
    expect([
      session,
      await status('POST', `/@users/${user}/reset-password`, { as: as(user, 'Other-pass-88!'), json }),
    ]).toEqual([429, 429]);
  });

  it('users cannot change their own password, login name or roles with PATCH', async () => {
    const user = await addUser(['Member']);
    for (const json of [
      { password: 'Other-pass-88!' },
      { username: `${user}x` },
      { roles: ['Member', 'Editor'] },
      { roles: { Member: false } },
    ]) {
      expect(await status('PATCH', `/@users/${user}`, { as: as(user), json }), JSON.stringify(json)).toBe(403);
    }
    expect(await read(`/@users/${user}`)).toMatchObject({ username: user, roles: ['Member'] });
  });

  it('a Site Administrator cannot change Managers, whether by role or by group', async () => {
    const helper = await addUser(['Site Administrator']);
    const inner = await addGroup();
    await site.request('PATCH', '/@groups/Administrators', { json: { groups: { [inner]: true } } });
    const managers = [await addUser(['Manager']), await addUser([], { groups: [inner] })];
    for (const manager of managers) {
      for (const json of [
        { email: 'thief@example.org' },
        { password: 'Other-pass-88!' },
        { username: 'thief' },
        { roles: [] },
      ]) {
        expect(await status('PATCH', `/@users/${manager}`, { as: as(helper), json })).toBe(403);
      }
      expect(await status('DELETE', `/@users/${manager}`, { as: as(helper) })).toBe(403);
      expect(await status('GET', '/@users', { as: as(manager) })).toBe(200);
    }
  });

  it('a Site Administrator can appoint Reviewers but no Managers', async () => {
    const helper = await addUser(['Site Administrator']);
    const user = await addUser();
    const inner = await addGroup();
    await site.request('PATCH', '/@groups/Administrators', { json: { groups: { [inner]: true } } });
    const made = { username: fresh('made'), password: PASSWORD, email: 'x@example.org' };
    const asHelper = as(helper);
    expect(await status('PATCH', `/@users/${user}`, { as: asHelper, json: { roles: { Manager: true } } })).toBe(403);
    expect(await status('PATCH', `/@users/${helper}`, { as: asHelper, json: { roles: ['Manager'] } })).toBe(403);
    expect(await status('POST', '/@users', { as: asHelper, json: { ...made, roles: ['Manager'] } })).toBe(403);
    expect(await status('POST', '/@users', { as: asHelper, json: { ...made, groups: ['Administrators'] } })).toBe(403);
    expect(await status('POST', '/@users', { as: asHelper, json: { ...made, groups: [inner] } })).toBe(403);
    expect(await status('GET', `/@users/${made.username}`)).toBe(404);
    expect(await status('PATCH', `/@users/${user}`, { as: asHelper, json: { roles: { Reviewer: true } } })).toBe(204);
    expect(await status('POST', '/@users', { as: asHelper, json: { ...made, groups: ['Reviewers'] } })).toBe(201);
  });

  it('the last Manager cannot be lost, even by simultaneous changes', async () => {
    const own = await startTestSite(engine);
    const run = async (...request: Parameters<TestSite['request']>) => (await own.request(...request)).status;
    try {
      expect(await run('DELETE', '/@users/admin')).toBe(400);
      expect(await run('PATCH', '/@users/admin', { json: { roles: { Manager: false } } })).toBe(400);
      const json = { username: 'second', password: PASSWORD, email: 'x@example.org', groups: ['Administrators'] };
      expect(await run('POST', '/@users', { json })).toBe(201);
      expect(await run('DELETE', '/@users/admin', { as: as('second') })).toBe(204);
      for (const [method, path, body] of [
        ['DELETE', '/@users/second', undefined],
        ['DELETE', '/@groups/Administrators', undefined],
        ['PATCH', '/@groups/Administrators', { roles: [] }],
        ['PATCH', '/@groups/Administrators', { users: { second: false } }],
      ] as const) {
        expect(await run(method, path, { as: as('second'), json: body }), path).toBe(400);
      }
      const third = { username: 'third', password: PASSWORD, email: 'x@example.org', roles: ['Manager'] };
      expect(await run('POST', '/@users', { as: as('second'), json: third })).toBe(201);
      const change = { as: as('second'), json: { users: { second: false } } };
      await Promise.all([
        run('PATCH', '/@groups/Administrators', change),
        run('PATCH', '/@users/third', { as: as('third'), json: { roles: [] } }),
      ]);
      const managers = [
        await run('GET', '/@users', { as: as('second') }),
        await run('GET', '/@users', { as: as('third') }),
      ];
      expect(managers.sort()).toEqual([200, 403]);
    } finally {
      await own.close();
    }
  });

  it('a new user with the name of a removed one inherits nothing', async () => {
    const user = await addUser(['Contributor']);
    const group = await addGroup({ users: [user], roles: ['Editor'] });
    const folder = await site.request('POST', '/', { json: { '@type': 'Folder', title: fresh('box') } });
    const page = await site.request('POST', new URL(folder.body['@id']).pathname, {
      json: { '@type': PAGE, title: 'Secret' },
    });
    const path = new URL(page.body['@id']).pathname;
    await site.request('POST', `${path}/@sharing`, {
      json: { entries: [{ id: user, type: 'user', roles: { Reader: true } }] },
    });
    const { token } = (await site.request('POST', '/@login', { as: 'anonymous', json: as(user) })).body;
    expect(await status('GET', path, { as: { token } })).toBe(200);
    expect(await status('DELETE', `/@users/${user}`)).toBe(204);
    expect((await read(`/@groups/${group}`)).members.items).toEqual([]);
    await addUser([], { username: user });
    expect(await status('GET', path, { as: { token } })).toBe(401);
    expect(await status('GET', path, { as: as(user) })).toBe(403);
    const listed = await site.kernel.db.query({
      text: 'select 1 from catalog where $1 = any(allowed)',
      values: [`user:${user}`],
    });
    expect(listed).toEqual([]);
    expect((await read(`/@users/${user}`)).roles).toEqual([]);
  });
});
