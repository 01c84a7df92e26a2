import { NotFound } from '../../../lib/errors.ts';
import { AUTHENTICATED_USERS } from '../../../security/caller.ts';
import type { Queryable } from '../../../storage/database.ts';
import { groupPath } from '../group-path.ts';
import { type Group, groupsById, type MemberBatch, rolesOfEverybody } from '../statements/people-groups.ts';
import { everybody } from './group-json.ts';

/** The group with this id and a batch of its members. Throws NotFound. */
export async function readGroup(db: Queryable, id: string, batch: MemberBatch): Promise<Group> {
  if (id === AUTHENTICATED_USERS) return everybody(await rolesOfEverybody(db));
  const [group] = await groupsById(db, [id], batch);
  if (!group) throw new NotFound(groupPath(id));
  return group;
}
