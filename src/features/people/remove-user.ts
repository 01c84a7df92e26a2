import { requirePermission } from '../../content/permissions.ts';
import { NotFound } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import { MANAGE_USERS } from '../../security/permissions.ts';
import type { Kernel } from '../../site/kernel.ts';
import { dropLocalRoles } from '../sharing/statements/people-local-roles.ts';
import { requireAuthority } from './authority.ts';
import { changePeople } from './change-people.ts';
import { deleteAccount } from './statements/people-accounts.ts';
import { profilesById } from './statements/people-profiles.ts';
import { userPath } from './update-user.ts';

/**
 * Removes a user with its memberships, tokens and, unless `localRoles` is false, all local roles on content. Content
 * that it made stays under its name. The account goes first: who shares content with it meanwhile waits and is refused.
 * @throws Forbidden for a user with roles beyond the caller's rights, BadRequest for the last Manager, NotFound.
 */
export async function removeUser(
  kernel: Kernel,
  { caller, id, localRoles }: { caller: Caller; id: string; localRoles: boolean },
): Promise<void> {
  await changePeople(kernel, async ({ tx, site, root }) => {
    requirePermission(site, caller, root, MANAGE_USERS);
    const [user] = await profilesById(tx, [id]);
    if (!user) throw new NotFound(userPath(id));
    requireAuthority(site, caller, user.roles);
    await deleteAccount(tx, id);
    if (localRoles) await dropLocalRoles(tx, `user:${id}`);
  });
}
