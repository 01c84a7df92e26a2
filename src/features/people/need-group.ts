import { BadRequest, NotFound } from '../../lib/errors.ts';
import { AUTHENTICATED_USERS, type Caller } from '../../security/caller.ts';
import type { Site } from '../../site/site.ts';
import type { Queryable } from '../../storage/database.ts';
import { requireAuthority } from './authority.ts';
import { groupPath } from './group-path.ts';
import { type Group, groupsById, rolesOfGroups } from './statements/people-groups.ts';

/**
 * The group that is to be changed or removed.
 * @throws NotFound, BadRequest for the group of all users, which nobody keeps, Forbidden when its members have roles
 *   beyond the caller's rights.
 */
export async function requireGroup(tx: Queryable, site: Site, caller: Caller, id: string): Promise<Group> {
  if (id === AUTHENTICATED_USERS) throw new BadRequest('The group of all users cannot be changed or removed.');
  const [group] = await groupsById(tx, [id], { size: 0, start: 0 });
  if (!group) throw new NotFound(groupPath(id));
  requireAuthority(site, caller, (await rolesOfGroups(tx, [id])).get(id) ?? []);
  return group;
}
