import type { FieldProblem } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Site } from '../../site/site.ts';
import { type MemberChange, readMembers } from './change-members.ts';
import { emailProblem, MAX_NAME } from './person-rules.ts';
import { type RoleChange, readRoles } from './read-roles.ts';
import { readText, rejectProblems } from './read-text.ts';
import type { GroupData } from './statements/people-groups.ts';

/** What a body says of a group; what it does not say is absent. */
export type GroupInput = {
  texts: Partial<Pick<GroupData, 'title' | 'description' | 'email'>>;
  roles: RoleChange | undefined;
  members: { users: MemberChange | undefined; groups: MemberChange | undefined };
};

/** Reads the body of POST or PATCH `@groups`. Throws ValidationFailed with what was found wrong already and here. */
export function readGroup(site: Site, input: JsonObject, problems: FieldProblem[] = []): GroupInput {
  const texts: GroupInput['texts'] = {};
  const title = readText(problems, input, 'title', { max: 1000 });
  if (title !== undefined) texts.title = title;
  const description = readText(problems, input, 'description', { max: 10_000, lines: true });
  if (description !== undefined) texts.description = description;
  const email = readText(problems, input, 'email', { max: MAX_NAME });
  if (email !== undefined) texts.email = email;
  const message = email ? emailProblem(email) : undefined;
  if (message) problems.push({ field: 'email', message });
  const roles = readRoles(problems, site, input.roles);
  const members = {
    users: readMembers(problems, 'users', input.users),
    groups: readMembers(problems, 'groups', input.groups),
  };
  rejectProblems(problems);
  return { texts, roles, members };
}
