import { requirePermission } from '../../content/permissions.ts';
import type { Caller } from '../../security/caller.ts';
import { MANAGE_USERS } from '../../security/permissions.ts';
import type { Kernel } from '../../site/kernel.ts';
import { dropLocalRoles } from '../sharing/statements/people-local-roles.ts';
import { changePeople } from './change-people.ts';
import { requireGroup } from './need-group.ts';
import { deleteGroup } from './statements/people-groups.ts';

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
