import { BadRequest } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Caller } from '../../security/caller.ts';
import type { Site } from '../../site/site.ts';
import type { Transaction } from '../../storage/database.ts';
import { requireAuthority } from './authority.ts';
import { readGroup } from './read-group.ts';
import { changeRoles } from './read-roles.ts';
import { giveEverybody, rolesOfEverybody } from './statements/people-groups.ts';

/**
 * Changes the roles that every user has, by the body of PATCH `@groups/AuthenticatedUsers`. Nothing else of this group
 * can be changed: its texts, which clients send back, are passed over.
 * @throws Forbidden for roles beyond the caller's rights, BadRequest for members and for the role Manager.
 */
export async function updateEverybody(
  tx: Transaction,
  site: Site,
  { caller, input }: { caller: Caller; input: JsonObject },
): Promise<void> {
  const { roles, members } = readGroup(site, input);
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
