import type { ImportGroup, ImportUser } from '../import-source.ts';
import { memberOf, stringOrNull, stringsOf, textOf } from './json-values.ts';
import type { ProblemLog } from './problem-log.ts';

/** Reads the `members` of a principals file. A password that is no hash is left out and reported. */
export function* readUsers(principals: unknown, file: string, problems: ProblemLog): Generator<ImportUser> {
  for (const raw of listOf(principals, 'members')) {
    const username = stringOrNull(memberOf(raw, 'username')) ?? stringOrNull(memberOf(raw, 'userid'));
    if (username === null) {
      problems.add({ file, message: 'A member has no username and is left out.' });
      continue;
    }
    yield {
      username,
      fullname: textOf(memberOf(raw, 'fullname')),
      email: textOf(memberOf(raw, 'email')),
      description: textOf(memberOf(raw, 'description')),
      home_page: textOf(memberOf(raw, 'home_page')),
      location: textOf(memberOf(raw, 'location')),
      password: readHash(memberOf(raw, 'password'), username, file, problems),
      roles: stringsOf(memberOf(raw, 'roles')),
      groups: stringsOf(memberOf(raw, 'groups')),
    };
  }
}

/** Reads the `groups` of a principals file. */
export function* readGroups(principals: unknown, file: string, problems: ProblemLog): Generator<ImportGroup> {
  for (const raw of listOf(principals, 'groups')) {
    const id = stringOrNull(memberOf(raw, 'groupid')) ?? stringOrNull(memberOf(raw, 'id'));
    if (id === null) {
      problems.add({ file, message: 'A group has no groupid and is left out.' });
      continue;
    }
    yield {
      id,
      title: stringOrNull(memberOf(raw, 'title')) ?? id,
      description: textOf(memberOf(raw, 'description')),
      email: textOf(memberOf(raw, 'email')),
      roles: stringsOf(memberOf(raw, 'roles')),
      groups: stringsOf(memberOf(raw, 'groups')),
      members: stringsOf(memberOf(raw, 'principals')),
    };
  }
}

function listOf(principals: unknown, key: string): unknown[] {
  const list = memberOf(principals, key);
  return Array.isArray(list) ? list : [];
}

function readHash(value: unknown, username: string, file: string, problems: ProblemLog): string | null {
  const password = stringOrNull(value);
  if (password === null || /^(\{[A-Za-z0-9._-]+\}|\$[a-z0-9-]+\$)/.test(password)) return password;
  problems.add({ file, message: `The password of ${username} is no hash of a known form and is left out.` });
  return null;
}
