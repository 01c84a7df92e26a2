import { requirePermission } from '../../content/permissions.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { AUTHENTICATED_USERS, type Caller } from '../../security/caller.ts';
import { MANAGE_USERS } from '../../security/permissions.ts';
import type { Kernel } from '../../site/kernel.ts';
import { requireAuthority } from './authority.ts';
import { changeMembers } from './change-members.ts';
import { changePeople } from './change-people.ts';
import { requireGroup } from './need-group.ts';
import { readGroup } from './read-group.ts';
import { changeRoles } from './read-roles.ts';
import { updateGroup as writeGroup } from './statements/people-groups.ts';
import { updateEverybody } from './update-everybody.ts';

/**
 * Changes a group by the body of PATCH `@groups/<id>`: texts, roles and members. Lists of roles and members replace
 * those that there are, maps of id to boolean add and take away (Nick, Groups).
 * @throws Forbidden for roles beyond the caller's rights, those that the group has included; NotFound; ValidationFailed
 *   of type WrongParameterError; BadRequest when the last Manager would lose the role.
 */
export async function updateGroup(
  kernel: Kernel,
  { caller, id, input }: { caller: Caller; id: string; input: JsonObject },
): Promise<void> {
  await changePeople(kernel, async ({ tx, site, root }) => {
    requirePermission(site, caller, root, MANAGE_USERS);
    if (id === AUTHENTICATED_USERS) return updateEverybody(tx, site, { caller, input });
    const group = await requireGroup(tx, site, caller, id);
    const { texts, roles, members } = readGroup(site, input);
    const next = roles && changeRoles(group.ownRoles, group.ownRoles, roles);
    requireAuthority(site, caller, next ?? []);
    await writeGroup(tx, id, next ? { ...texts, roles: next } : texts);
    await changeMembers(tx, id, members);
  });
}
