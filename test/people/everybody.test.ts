import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { startTestSite } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { peopleOf } from './people-site.ts';

const GROUP = '/@groups/AuthenticatedUsers';

describeEachEngine('the group of all users', (engine) => {
  const site = useTestSite(engine);
  const { as, addUser, read } = peopleOf(site);
  const change = async (json: object, options = {}) =>
    (await site.request('PATCH', GROUP, { json, ...options })).status;

  it('roles of the group of all users apply to every logged-in user until they are taken back', async () => {
    const user = await addUser(['Member']);
    const add = async () =>
      (await site.request('POST', '/', { as: as(user), json: { '@type': PAGE, title: 'Mine' } })).status;
    expect(await add()).toBe(403);
    expect(await change({ roles: { Contributor: true } })).toBe(204);
    expect((await read(GROUP)).roles).toEqual(['Contributor']);
    expect((await read(`/@users/${user}`)).roles).toEqual(['Contributor', 'Member']);
    expect(await add()).toBe(201);
    expect(await change({ ...(await read(GROUP)), roles: [] })).toBe(204);
    expect(await add()).toBe(403);
    expect((await read(GROUP)).roles).toEqual([]);
  });

  it('the group of all users is listed once and last, with or without roles', async () => {
    const listed = async () => (await read('/@groups')).map(({ id }: { id: string }) => id);
    await change({ roles: ['Reader'] });
    const ids = await listed();
    expect(ids.filter((id: string) => id === 'AuthenticatedUsers')).toHaveLength(1);
    expect(ids.at(-1)).toBe('AuthenticatedUsers');
    expect((await read('/@principals?search=AuthenticatedUsers')).groups).toEqual([]);
    const { entries } = await read('/@sharing?search=Authenticated');
    expect(entries.filter(({ id }: { id: string }) => id === 'AuthenticatedUsers')).toHaveLength(1);
    await change({ roles: [] });
    expect(await listed()).toEqual(ids);
  });

  it("the group of all users gets no roles beyond the caller's rights and never the role Manager", async () => {
    const helper = await addUser(['Site Administrator']);
    const member = await addUser();
    expect(await change({ roles: ['Manager'] }, { as: as(helper) })).toBe(403);
    expect(await change({ roles: ['Manager'] })).toBe(400);
    expect(await change({ roles: ['Reviewer'] }, { as: as(helper) })).toBe(204);
    expect(await change({ roles: ['Editor'] }, { as: as(member) })).toBe(403);
    expect(await change({ roles: [] }, { as: 'anonymous' })).toBe(401);
    expect(await change({ roles: ['Nonsense'] })).toBe(400);
    expect((await read(GROUP)).roles).toEqual(['Reviewer']);
    await change({ roles: [] });
  });

  it('the group of all users takes no members and cannot be removed', async () => {
    const user = await addUser();
    expect(await change({ users: { [user]: true } })).toBe(400);
    expect(await change({ groups: ['Administrators'] })).toBe(400);
    expect((await site.request('DELETE', GROUP)).status).toBe(400);
  });
});

describeEachEngine('the groups of a user', (engine) => {
  it('the groups of a user come in batches with their total', async () => {
    const site = await startTestSite(engine);
    const { addUser, addGroup, read } = peopleOf(site);
    try {
      const groups = [await addGroup(), await addGroup(), await addGroup()];
      const user = await addUser([], { groups });
      const { groups: first } = await read(`/@users/${user}?b_size=2`);
      expect([first.items.length, first.items_total]).toEqual([2, 4]);
      const { groups: second } = await read(
        new URL(first.batching.next).pathname + new URL(first.batching.next).search,
      );
      const ids = [...first.items, ...second.items].map(({ id }: { id: string }) => id);
      expect(ids).toEqual(['AuthenticatedUsers', ...groups].sort());
      expect((await read(`/@users/${user}`)).groups.items).toHaveLength(4);
    } finally {
      await site.close();
    }
  });
});
