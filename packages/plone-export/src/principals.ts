import {
  type ExportedGroup,
  type ExportedUser,
  type ExportFolder,
  isEmptyValue,
  isJsonObject,
  memberOf,
  type ProblemLog,
  stringOf,
  stringOrNull,
  stringsOf,
} from '@canopy-server/site-reader';
import { isFileValue, parseFile } from './files.ts';

/** The key for the hashes of passwords by user in exports of Canopy in Plone's format. */
const OWN_PASSWORDS = 'canopy_passwords';

/** Properties of members that are columns of accounts or handled elsewhere. */
const KNOWN_OF_MEMBERS = new Set([
  ...['username', 'userid', 'id', 'login_name', 'fullname', 'email', 'description', 'home_page', 'location'],
  ...['password', 'portrait', 'roles', 'groups'],
]);

/** Properties of members that Plone's user folder writes for its own use. */
const SYSTEM_OF_MEMBERS = new Set([
  ...['login_time', 'last_login_time', 'listed', 'visible_ids', 'error_log_update', 'wysiwyg_editor', 'ext_editor'],
  ...['must_change_password', 'is_editor_enabled', 'pdelete'],
]);

/**
 * Parses the `members` of a principals file. A password that is not a hash is left out and reported. In exports of this server the hashes are beside
 * the members, and the passwords of members match no text.
 */
export async function* parseUsers(
  principals: unknown,
  file: string,
  { folder, problems }: { folder: ExportFolder; problems: ProblemLog },
): AsyncGenerator<ExportedUser> {
  const own = memberOf(principals, OWN_PASSWORDS);
  for (const raw of listOf(principals, 'members')) {
    const username = stringOrNull(memberOf(raw, 'username')) ?? stringOrNull(memberOf(raw, 'userid'));
    if (username === null) {
      problems.add({ reason: 'principal', file, message: 'A member has no username and is left out.' });
      continue;
    }
    yield {
      username,
      fullname: stringOf(memberOf(raw, 'fullname')),
      email: stringOf(memberOf(raw, 'email')),
      description: stringOf(memberOf(raw, 'description')),
      home_page: stringOf(memberOf(raw, 'home_page')),
      location: stringOf(memberOf(raw, 'location')),
      login: stringOrNull(memberOf(raw, 'login_name')) ?? username,
      password: parseHash(
        own === undefined ? memberOf(raw, 'password') : memberOf(own, username),
        username,
        file,
        problems,
      ),
      portrait: await parsePortrait(memberOf(raw, 'portrait'), username, folder, problems),
      others: othersOf(raw, (key) => KNOWN_OF_MEMBERS.has(key), { file, problems, owner: `user ${username}` }),
      roles: stringsOf(memberOf(raw, 'roles')),
      groups: stringsOf(memberOf(raw, 'groups')),
    };
  }
}

async function parsePortrait(
  value: unknown,
  username: string,
  folder: ExportFolder,
  problems: ProblemLog,
): Promise<ExportedUser['portrait']> {
  if (isFileValue(value)) return parseFile('portrait', value, `@users/${username}`, folder, problems);
  if (!isEmptyValue(value))
    problems.add({
      reason: 'file',
      path: `@users/${username}`,
      key: 'portrait',
      message: 'The portrait is not in the export.',
    });
  return null;
}

/** The further properties of a user or a group. Properties for internal use of the old server are reported and left out. */
function othersOf(
  raw: unknown,
  isKnown: (key: string) => boolean,
  { file, problems, owner }: { file: string; problems: ProblemLog; owner: string },
): Record<string, unknown> {
  const others: [string, unknown][] = [];
  for (const [key, value] of isJsonObject(raw) ? Object.entries(raw) : []) {
    if (isKnown(key) || isEmptyValue(value)) continue;
    if (!SYSTEM_OF_MEMBERS.has(key)) others.push([key, value]);
    else
      problems.note({
        reason: 'system',
        file,
        path: `@${owner.replace(' ', 's/')}`,
        key,
        message: `Members: ${key} is a note of the old server and is left out.`,
      });
  }
  return Object.fromEntries(others);
}

const KNOWN_OF_GROUPS = new Set([
  ...['groupid', 'id', 'title', 'description', 'email', 'roles', 'groups', 'principals', 'members'],
]);

/** Parses the `groups` of a principals file. */
export function* parseGroups(principals: unknown, file: string, problems: ProblemLog): Generator<ExportedGroup> {
  for (const raw of listOf(principals, 'groups')) {
    const id = stringOrNull(memberOf(raw, 'groupid')) ?? stringOrNull(memberOf(raw, 'id'));
    if (id === null) {
      problems.add({ reason: 'principal', file, message: 'A group has no groupid and is left out.' });
      continue;
    }
    for (const key of Object.keys(
      othersOf(raw, (name) => KNOWN_OF_GROUPS.has(name), { file, problems, owner: `group ${id}` }),
    ))
      problems.note({
        reason: 'unsupported',
        file,
        path: `@groups/${id}`,
        key,
        message: `Groups have no property ${key}: its value is left out.`,
      });
    yield {
      id,
      title: stringOrNull(memberOf(raw, 'title')) ?? id,
      description: stringOf(memberOf(raw, 'description')),
      email: stringOf(memberOf(raw, 'email')),
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

function parseHash(value: unknown, username: string, file: string, problems: ProblemLog): string | null {
  const password = stringOrNull(value);
  if (password === null || /^(\{[A-Za-z0-9._-]+\}|\$[a-z0-9-]+\$)/.test(password)) return password;
  problems.add({
    reason: 'password',
    file,
    path: `@users/${username}`,
    key: 'password',
    message: 'The password is no hash of a known form and is left out: it has to be set anew.',
  });
  return null;
}
