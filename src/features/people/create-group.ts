import { requirePermission } from '../../content/permissions.ts';
import type { FieldProblem } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Caller } from '../../security/caller.ts';
import { MANAGE_USERS } from '../../security/permissions.ts';
import type { Kernel } from '../../site/kernel.ts';
import { requireAuthority } from './authority.ts';
import { changeMembers } from './change-members.ts';
import { changePeople } from './change-people.ts';
import { requireFreeName } from './need-free-name.ts';
import { groupNameProblem, MAX_NAME } from './person-rules.ts';
import { readGroup } from './read-group.ts';
import { readText } from './read-text.ts';
import { insertGroup } from './statements/people-groups.ts';

/**
 * Makes a group from the body of POST `@groups`; answers the id. `users` and `groups` become its members
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
    const id = readText(problems, input, 'groupname', { max: MAX_NAME }) ?? '';
    const message = problems.length === 0 ? groupNameProblem(id) : undefined;
    if (message) problems.push({ field: 'groupname', message });
    const { texts, roles, members } = readGroup(site, input, problems);
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
