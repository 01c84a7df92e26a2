import { isPasswordHash } from '../../auth/passwords.ts';
import { AUTHENTICATED_USERS } from '../../security/caller.ts';
import type { ImportJob } from './import-run.ts';
import type { ImportGroup, ImportUser } from './import-source.ts';
import { cleanTexts, isIdentifier } from './json-values.ts';
import {
  groupIds,
  insertAccounts,
  insertMemberships,
  insertNewGroups,
  type Membership,
  type NewAccount,
} from './statements/principals.ts';
import { importedKeys, rememberImported } from './statements/progress.ts';

/** Roles that everybody has without being given them; accounts do not store them. */
const IMPLIED_ROLES = new Set(['Anonymous', 'Authenticated']);

const rolesOf = (roles: string[]): string[] => [...new Set(roles.filter((role) => !IMPLIED_ROLES.has(role)))];

const userKey = (id: string) => `#user:${id}`;
const groupKey = (id: string) => `#group:${id}`;

/**
 * Creates the groups and users of the export that the site does not have, with their memberships, in one transaction.
 * Present ones stay unchanged, but groups can get new members. Returns the ids of all groups.
 */
export async function importPrincipals(job: ImportJob): Promise<ReadonlySet<string>> {
  const { source, scope, report, summary, key } = job;
  const groups = (await collect(source.groups(), ({ id }) => id, 'group', job)).filter(
    ({ id }) => id !== AUTHENTICATED_USERS,
  );
  const users = await collect(source.users(), ({ username }) => username, 'user', job);
  const keys = [...groups.map(({ id }) => groupKey(id)), ...users.map(({ username }) => userKey(username))];
  const done = await importedKeys(scope.db, key, keys);
  const accounts = users.map(accountOf);
  const made = await scope.write(async (tx) => {
    const fresh = <T>(list: T[], keyOf: (entry: T) => string) => list.filter((entry) => !done.has(keyOf(entry)));
    const newGroups = await insertNewGroups(
      tx,
      fresh(groups, ({ id }) => groupKey(id)).map((group) => ({ ...group, roles: rolesOf(group.roles) })),
    );
    const newUsers = await insertAccounts(
      tx,
      fresh(accounts, ({ id }) => userKey(id)),
    );
    const known = await groupIds(tx);
    await insertMemberships(tx, membershipsOf({ users, groups, newUsers, newGroups, known }));
    const newKeys = [...[...newGroups].map(groupKey), ...[...newUsers].map(userKey)];
    await rememberImported(
      tx,
      key,
      newKeys.map((uid) => ({ uid, content: null })),
    );
    return { newGroups, newUsers, known };
  });
  const tally = (
    kind: 'users' | 'groups',
    ids: string[],
    created: ReadonlySet<string>,
    keyOf: (id: string) => string,
  ) => {
    for (const id of ids) {
      if (created.has(id)) summary[kind].created += 1;
      else summary[kind].skipped += 1;
      if (created.has(id) || done.has(keyOf(id))) continue;
      report.problem({
        message: `The ${kind === 'users' ? 'user' : 'group'} ${id} is there already and stays as it is.`,
      });
    }
  };
  tally(
    'groups',
    groups.map(({ id }) => id),
    made.newGroups,
    groupKey,
  );
  tally(
    'users',
    users.map(({ username }) => username),
    made.newUsers,
    userKey,
  );
  reportUsers(
    users.filter(({ username }) => made.newUsers.has(username)),
    made.known,
    job,
  );
  return made.known;
}

/** Collects the entries with valid ids, each id once; the others are reported. */
async function collect<T extends object>(
  entries: AsyncIterable<T>,
  idOf: (entry: T) => string,
  kind: 'user' | 'group',
  { report, summary }: ImportJob,
): Promise<T[]> {
  const found = new Map<string, T>();
  for await (const raw of entries) {
    const entry = cleanTexts(raw);
    const id = idOf(entry);
    if (isIdentifier(id) && !found.has(id)) {
      found.set(id, entry);
      continue;
    }
    summary[kind === 'user' ? 'users' : 'groups'].failed += 1;
    const reason = found.has(id) ? 'is there twice; the first one counts' : 'cannot have such an id';
    report.problem({ message: `The ${kind} ${id.slice(0, 100)} ${reason}.` });
  }
  return [...found.values()];
}

const isUsable = (password: string | null): boolean => password !== null && isPasswordHash(password);

function accountOf({ username: id, password, fullname, email, roles, ...rest }: ImportUser): NewAccount {
  const { description, home_page, location } = rest;
  const properties = { description, home_page, location };
  return { id, password: isUsable(password) ? password : null, fullname, email, roles: rolesOf(roles), properties };
}

/**
 * The memberships to be added: those of new members and those of new groups. Memberships between users and groups that
 * were present before are the site's own decision.
 */
function membershipsOf({
  users,
  groups,
  newUsers,
  newGroups,
  known,
}: {
  users: ImportUser[];
  groups: ImportGroup[];
  newUsers: ReadonlySet<string>;
  newGroups: ReadonlySet<string>;
  known: ReadonlySet<string>;
}): Membership[] {
  const all: Membership[] = [
    ...users.flatMap(({ username, groups: of }) => of.map((group) => ({ group, member: username, isGroup: false }))),
    ...groups.flatMap(({ id, groups: of }) => of.map((group) => ({ group, member: id, isGroup: true }))),
    ...groups.flatMap(({ id, members }) =>
      members.map((member) => ({ group: id, member, isGroup: known.has(member) })),
    ),
  ];
  const isNew = ({ group, member, isGroup }: Membership) =>
    newGroups.has(group) || (isGroup ? newGroups.has(member) : newUsers.has(member));
  return all.filter((membership) => known.has(membership.group) && isNew(membership));
}

/** Reports passwords and groups that new users lose. */
function reportUsers(users: ImportUser[], known: ReadonlySet<string>, { report }: ImportJob): void {
  for (const { username, groups, password } of users) {
    if (password !== null && !isUsable(password)) {
      report.problem({
        message: `The password of ${username} is kept in a form that cannot be checked here: it has to be set anew.`,
      });
    }
    for (const group of groups) {
      if (known.has(group) || group === AUTHENTICATED_USERS) continue;
      report.problem({
        message: `The user ${username} is in the group ${group}, which is neither in the export nor on the site.`,
      });
    }
  }
}
