import { requirePermission } from '../../content/permissions.ts';
import { BadRequest, type FieldProblem, NotFound, ValidationFailed } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { AUTHENTICATED_USERS, type Caller } from '../../security/caller.ts';
import { MANAGE_USERS } from '../../security/permissions.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';
import type { Queryable, Transaction } from '../../storage/database.ts';
import { dropLocalRoles } from '../sharing/statements.ts';
import { changePeople, requireAuthority } from './authority.ts';
import { emailProblem, groupNameProblem, MAX_NAME, requireFreeName } from './person-rules.ts';
import { changeRoles, parseRoles, type RoleChange } from './roles.ts';
import {
  addMembers,
  deleteGroup,
  type Group,
  type GroupData,
  giveEverybody,
  groupsById,
  insertGroup,
  keepMembers,
  removeMembers,
  rolesOfEverybody,
  rolesOfGroups,
  updateGroup as writeGroup,
} from './statements/groups.ts';
import { knownPrincipals } from './statements/principals.ts';
import { parseText, rejectProblems } from './user-input.ts';

/** The path of a group in error messages. */
export const groupPath = (id: string): string => `/@groups/${id}`;

/**
 * Returns the group that is to be changed or removed.
 * @throws NotFound, BadRequest for the virtual group of all users, Forbidden when its members have roles beyond the
 *   caller's rights.
 */
async function requireGroup(tx: Queryable, site: Site, caller: Caller, id: string): Promise<Group> {
  if (id === AUTHENTICATED_USERS) throw new BadRequest('The group of all users cannot be changed or removed.');
  const [group] = await groupsById(tx, [id], { size: 0, start: 0 });
  if (!group) throw new NotFound(groupPath(id));
  requireAuthority(site, caller, (await rolesOfGroups(tx, [id])).get(id) ?? []);
  return group;
}

/** The keys of a group in a body, parsed; absent keys stay undefined. */
type GroupInput = {
  texts: Partial<Pick<GroupData, 'title' | 'description' | 'email'>>;
  roles: RoleChange | undefined;
  members: { users: MemberChange | undefined; groups: MemberChange | undefined };
};

/** Parses the body of POST or PATCH `@groups`. Throws ValidationFailed with the given problems and those found here. */
function parseGroup(site: Site, input: JsonObject, problems: FieldProblem[] = []): GroupInput {
  const texts: GroupInput['texts'] = {};
  const title = parseText(problems, input, 'title', { max: 1000 });
  if (title !== undefined) texts.title = title;
  const description = parseText(problems, input, 'description', { max: 10_000, lines: true });
  if (description !== undefined) texts.description = description;
  const email = parseText(problems, input, 'email', { max: MAX_NAME });
  if (email !== undefined) texts.email = email;
  const message = email ? emailProblem(email) : undefined;
  if (message) problems.push({ field: 'email', message });
  const roles = parseRoles(problems, site, input.roles);
  const members = {
    users: parseMembers(problems, 'users', input.users),
    groups: parseMembers(problems, 'groups', input.groups),
  };
  rejectProblems(problems);
  return { texts, roles, members };
}

/** A change of members: a list in the body replaces the present ones, a map of id to boolean adds and removes. */
type MemberChange = { replace: boolean; add: string[]; remove: string[] };

/**
 * Parses `users` or `groups` of a group's body. Returns undefined when it is absent; invalid input is added to
 * `problems`.
 */
function parseMembers(problems: FieldProblem[], field: 'users' | 'groups', value: unknown): MemberChange | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) {
    const add = value.filter((id) => typeof id === 'string');
    if (add.length === value.length) return { replace: true, add: [...new Set(add)], remove: [] };
  } else if (isJsonObject(value)) {
    const entries = Object.entries(value);
    const idsThat = (wanted: boolean) => entries.filter(([, on]) => on === wanted).map(([id]) => id);
    if (entries.every(([, on]) => typeof on === 'boolean'))
      return { replace: false, add: idsThat(true), remove: idsThat(false) };
  }
  problems.push({ field, message: 'Must be a list of ids or a map of id to true or false.' });
  return undefined;
}

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
    if (message) throw new ValidationFailed([{ field, message }], 'WrongParameterError');
    if (change.replace)
      await keepMembers(
        tx,
        group,
        field === 'groups' ? { ids: groups, isGroup: true } : { ids: users, isGroup: false },
      );
    await addMembers(tx, [group], { ids: users, isGroup: false });
    await addMembers(tx, [group], { ids: groups, isGroup: true });
    if (field === 'users') await removeMembers(tx, group, { ids: change.remove, isGroup: false });
    await removeMembers(tx, group, { ids: change.remove, isGroup: true });
  }
}

/**
 * Creates a group from the body of POST `@groups` and returns its id. `users` and `groups` become its members
 * (plone.restapi, recorded `groups_created`).
 * @throws Forbidden for roles beyond the caller's rights, ValidationFailed of type WrongParameterError.
 */
export async function createGroup(
  kernel: Kernel,
  { caller, input }: { caller: Caller; input: JsonObject },
): Promise<string> {
  return changePeople(kernel, async ({ tx, site, root }) => {
    requirePermission(site, caller, root, MANAGE_USERS);
    const problems: FieldProblem[] = [];
    const id = parseText(problems, input, 'groupname', { max: MAX_NAME }) ?? '';
    const message = problems.length === 0 ? groupNameProblem(id) : undefined;
    if (message) problems.push({ field: 'groupname', message });
    const { texts, roles, members } = parseGroup(site, input, problems);
    const given = roles?.give ?? [];
    requireAuthority(site, caller, given);
    await requireFreeName(tx, id, 'groupname');
    await insertGroup(tx, id, {
      title: texts.title || id,
      description: texts.description ?? '',
      email: texts.email ?? '',
      roles: given,
    });
    await changeMembers(tx, id, members);
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
  { caller, id, input }: { caller: Caller; id: string; input: JsonObject },
): Promise<void> {
  await changePeople(kernel, async ({ tx, site, root }) => {
    requirePermission(site, caller, root, MANAGE_USERS);
    if (id === AUTHENTICATED_USERS) return updateEverybody(tx, site, { caller, input });
    const group = await requireGroup(tx, site, caller, id);
    const { texts, roles, members } = parseGroup(site, input);
    const next = roles && changeRoles(group.ownRoles, group.ownRoles, roles);
    requireAuthority(site, caller, next ?? []);
    await writeGroup(tx, id, next ? { ...texts, roles: next } : texts);
    await changeMembers(tx, id, members);
  });
}

/**
 * Changes the roles that every user has, by the body of PATCH `@groups/AuthenticatedUsers`. Nothing else of this group
 * can be changed. Its texts are ignored, because clients send them back with the roles.
 * @throws Forbidden for roles beyond the caller's rights, BadRequest for members and for the role Manager.
 */
async function updateEverybody(
  tx: Transaction,
  site: Site,
  { caller, input }: { caller: Caller; input: JsonObject },
): Promise<void> {
  const { roles, members } = parseGroup(site, input);
  const named = [members.users, members.groups].some((change) => change?.add.length || change?.remove.length);
  if (named) throw new BadRequest('The group of all users has everybody in it: nobody can be added or removed.');
  if (!roles) return;
  const own = await rolesOfEverybody(tx);
  requireAuthority(site, caller, own);
  const next = changeRoles(own, own, roles);
  requireAuthority(site, caller, next);
  if (next.includes('Manager')) throw new BadRequest('Not every user can be a Manager.');
  await giveEverybody(tx, next);
}

/**
 * Removes a group with its memberships and its local roles on content; its members stay.
 * @throws Forbidden for a group with roles beyond the caller's rights, BadRequest when the last Manager would lose the
 *   role, NotFound.
 */
export async function removeGroup(kernel: Kernel, { caller, id }: { caller: Caller; id: string }): Promise<void> {
  await changePeople(kernel, async ({ tx, site, root }) => {
    requirePermission(site, caller, root, MANAGE_USERS);
    await requireGroup(tx, site, caller, id);
    await deleteGroup(tx, id);
    await dropLocalRoles(tx, `group:${id}`);
  });
}
