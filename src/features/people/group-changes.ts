import { setTimeout } from 'node:timers/promises';
import {
  access,
  type Caller,
  callers,
  groupRows,
  type Kernel,
  permissions,
  type Queryable,
  requirePermission,
  type Site,
  type SiteChange,
  type Transaction,
} from '#core';
import { BadRequest, NotFound, ValidationFailed } from '#lib/errors';
import { changePeople, requireAuthority } from './authority.ts';
import { requireFreeName } from './person-rules.ts';
import { changeRoles, type RoleChange } from './roles.ts';
import { type Group, groupsById, rolesOfEverybody, rolesOfGroups } from './statements/groups.ts';
import { knownPrincipals } from './statements/principals.ts';
import { WRONG_PARAMETER } from './user-input.ts';

/** The path of a group in error messages. */
export const groupPath = (id: string): string => `/@groups/${id}`;

/**
 * Returns the group to be changed or removed.
 * @throws NotFound, BadRequest for the virtual group of all users, Forbidden when its members have roles beyond the
 *   caller's rights.
 */
async function requireGroup(tx: Queryable, site: Site, caller: Caller, id: string): Promise<Group> {
  if (id === callers.AUTHENTICATED_USERS) throw new BadRequest('The group of all users cannot be changed or removed.');
  const [group] = await groupsById(tx, [id], { size: 0, start: 0 });
  if (!group) throw new NotFound(groupPath(id));
  requireAuthority(site, caller, (await rolesOfGroups(tx, [id])).get(id) ?? []);
  return group;
}

/** Thrown when a change names a member that is neither a user nor a group. */
class UnknownMember extends ValidationFailed {}

/** Milliseconds between the attempts at a change with an unknown member. */
const AGAIN_MS = [100, 200, 400, 800, 1000];

/**
 * Makes a change of a group, and repeats it for a while for missing members: clients create a user and add it to a group at the same time, and the
 * user may come second. Throws the last error of `change`.
 */
export async function onceMembersAreThere<Value>(change: () => Promise<Value>): Promise<Value> {
  for (const pause of AGAIN_MS) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof UnknownMember)) throw error;
      await setTimeout(pause);
    }
  }
  return change();
}

/** A group in a body of PATCH; absent keys change nothing. */
export type GroupInput = {
  [Key in 'title' | 'description' | 'email']?: string | undefined;
} & {
  roles?: RoleChange | undefined;
  users?: MemberChange | undefined;
  groups?: MemberChange | undefined;
};

/** A change of members: a list in the body replaces the present ones, a map of id to boolean adds and removes. */
export type MemberChange = { replace: boolean; add: string[]; remove: string[] };

/**
 * Changes the members of a group. Ids under `users` may belong to groups as well, because clients get both in one list.
 * @throws ValidationFailed of type WrongParameterError for an unknown id and for the group itself as a member.
 */
async function changeMembers(
  tx: Transaction,
  group: string,
  changes: { users: MemberChange | undefined; groups: MemberChange | undefined },
): Promise<void> {
  for (const [field, change] of Object.entries(changes)) {
    if (!change) continue;
    const known = await knownPrincipals(tx, change.add);
    const isGroup = (id: string) => (field === 'groups' || !known.users.has(id)) && known.groups.has(id);
    const groups = change.add.filter(isGroup);
    const users = change.add.filter((id) => !isGroup(id));
    const wrong = users.find((id) => field === 'groups' || !known.users.has(id));
    const message =
      wrong === undefined
        ? groups.includes(group)
          ? `${groupPath(group)} cannot be in itself.`
          : undefined
        : `There is no such member: "${wrong.slice(0, 100)}".`;
    if (message)
      throw new (wrong === undefined ? ValidationFailed : UnknownMember)([{ field, message }], WRONG_PARAMETER);
    if (change.replace)
      await groupRows.keepMembers(
        tx,
        group,
        field === 'groups' ? { ids: groups, isGroup: true } : { ids: users, isGroup: false },
      );
    await groupRows.addMembers(tx, [group], { ids: users, isGroup: false });
    await groupRows.addMembers(tx, [group], { ids: groups, isGroup: true });
    if (field === 'users') await groupRows.removeMembers(tx, group, { ids: change.remove, isGroup: false });
    await groupRows.removeMembers(tx, group, { ids: change.remove, isGroup: true });
  }
}

/**
 * Creates a group from the body of POST `@groups` and returns its id. `users` and `groups` become its members
 * (plone.restapi, recorded `groups_created`).
 * @throws Forbidden for roles beyond the caller's rights, ValidationFailed of type WrongParameterError.
 */
export async function createGroup(
  kernel: Kernel,
  { caller, input }: { caller: Caller; input: GroupInput & { groupname: string } },
): Promise<string> {
  return changePeople(kernel, async ({ tx, site, root }) => {
    requirePermission(site, caller, root, permissions.MANAGE_USERS);
    const { groupname: id, title, description, email, roles, users, groups } = input;
    const given = roles?.give ?? [];
    requireAuthority(site, caller, given);
    await requireFreeName(tx, id, 'groupname');
    await groupRows.insertGroup(tx, id, {
      title: title || id,
      description: description ?? '',
      email: email ?? '',
      roles: given,
    });
    await changeMembers(tx, id, { users, groups });
    const change = { part: 'group', id, change: 'created', added: [...given, ...membersOf({ users, groups }, 'add')] };
    await kernel.events.emit('site.changed', change, { tx, caller });
    return id;
  });
}

/**
 * Changes a group by the body of PATCH `@groups/<id>`: texts, roles and members. Lists of roles and members replace the
 * present ones, maps of id to boolean add and remove (Nick, Groups).
 * @throws Forbidden for present or new roles beyond the caller's rights; NotFound; ValidationFailed of type
 *   WrongParameterError; BadRequest when the last Manager would lose the role.
 */
export async function updateGroup(
  kernel: Kernel,
  { caller, id, input }: { caller: Caller; id: string; input: GroupInput },
): Promise<void> {
  await changePeople(kernel, async ({ tx, site, root }) => {
    requirePermission(site, caller, root, permissions.MANAGE_USERS);
    if (id === callers.AUTHENTICATED_USERS) {
      await updateEverybody(tx, site, { caller, input });
      const done = { part: 'group', id, change: 'edited', names: input.roles ? ['roles'] : [] };
      return kernel.events.emit('site.changed', done, { tx, caller });
    }
    const group = await requireGroup(tx, site, caller, id);
    const { title, description, email, roles, users, groups } = input;
    const next = roles && changeRoles(group.ownRoles, group.ownRoles, roles);
    requireAuthority(site, caller, next ?? []);
    await groupRows.updateGroup(tx, id, { title, description, email, roles: next });
    await changeMembers(tx, id, { users, groups });
    await kernel.events.emit('site.changed', groupChange(group, input, next), { tx, caller });
  });
}

/** The members that a change names. */
const membersOf = (changes: Pick<GroupInput, 'users' | 'groups'>, which: 'add' | 'remove'): string[] =>
  [changes.users, changes.groups].flatMap((change) => change?.[which] ?? []);

/** Describes a change of a group: the names of the edited members, the added ids and the removed ids. */
function groupChange({ id, ownRoles }: Group, input: GroupInput, roles: readonly string[] | undefined): SiteChange {
  return {
    ...{ part: 'group', id, change: 'edited' },
    names: Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    added: [...(roles?.filter((role) => !ownRoles.includes(role)) ?? []), ...membersOf(input, 'add')],
    removed: [...(roles ? ownRoles.filter((role) => !roles.includes(role)) : []), ...membersOf(input, 'remove')],
  };
}

/**
 * Changes the roles that every user has, by the body of PATCH `@groups/AuthenticatedUsers`. Nothing else of this group
 * can be changed. Its texts are ignored, because clients send them back with the roles.
 * @throws Forbidden for roles beyond the caller's rights, BadRequest for members and for the role Manager.
 */
async function updateEverybody(
  tx: Transaction,
  site: Site,
  { caller, input }: { caller: Caller; input: GroupInput },
): Promise<void> {
  const { roles, users, groups } = input;
  const named = [users, groups].some((change) => change?.add.length || change?.remove.length);
  if (named) throw new BadRequest('The group of all users has everybody in it: nobody can be added or removed.');
  if (!roles) return;
  const own = await rolesOfEverybody(tx);
  requireAuthority(site, caller, own);
  const next = changeRoles(own, own, roles);
  requireAuthority(site, caller, next);
  if (next.includes('Manager')) throw new BadRequest('Not every user can be a Manager.');
  await groupRows.giveEverybody(tx, next);
}

/**
 * Removes a group with its memberships and its local roles on content; its members stay.
 * @throws Forbidden for a group with roles beyond the caller's rights, BadRequest when the last Manager would lose the
 *   role, NotFound.
 */
export async function removeGroup(kernel: Kernel, { caller, id }: { caller: Caller; id: string }): Promise<void> {
  await changePeople(kernel, async ({ tx, site, root }) => {
    requirePermission(site, caller, root, permissions.MANAGE_USERS);
    await requireGroup(tx, site, caller, id);
    await groupRows.deleteGroup(tx, id);
    await access.dropLocalRoles(tx, `group:${id}`);
    await kernel.events.emit('site.changed', { part: 'group', id, change: 'removed' }, { tx, caller });
  });
}
