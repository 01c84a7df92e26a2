import { type ExportedGroup, type ExportedUser, memberOf } from '@canopy-server/site-reader';
import { accountRows, callers, configuration, groupRows, passwords, type StoredFile, sitePieces } from '#core';
import { isJsonObject } from '#lib/json-object';
import { membersKey, principalBases } from './again/principal-bases.ts';
import { updatePrincipals } from './again/principals.ts';
import type { ImportJob } from './import-run.ts';
import { storeFile } from './load-item.ts';
import { type PackedBase, writeBases } from './statements/bases.ts';
import { groupIds } from './statements/principals.ts';
import { importedKeys, rememberImported } from './statements/progress.ts';
import { cleanTexts, isIdentifier } from './storable-text.ts';

/** Roles that everybody has without being given them; accounts do not store them. */
const IMPLIED_ROLES = new Set(['Anonymous', 'Authenticated']);

const rolesOf = (roles: string[]): string[] => [...new Set(roles.filter((role) => !IMPLIED_ROLES.has(role)))];

/** Groups that each site of Plone has, and each of this server: that they are there says nothing. */
const EVERYWHERE = ['Administrators', 'Site Administrators', 'Reviewers'];

const userKey = (id: string) => `#user:${id}`;
const groupKey = (id: string) => `#group:${id}`;

/**
 * Creates the groups and users of the export that the site does not have, with their memberships, in one transaction.
 * Present ones stay unchanged, but groups can get new members. Returns the ids of all groups.
 */
export async function importPrincipals(job: ImportJob): Promise<ReadonlySet<string>> {
  const { kernel, scope, report, summary, key } = job;
  const { groups, users } = await collectPrincipals(job);
  const keys = [...groups.map(({ id }) => groupKey(id)), ...users.map(({ username }) => userKey(username))];
  const done = await importedKeys(scope.db, key, keys);
  const accounts: accountRows.ImportedAccount[] = [];
  for (const user of users) accounts.push(await accountOf(user, job));
  const made = await scope.write(async (tx) => {
    const fresh = <T>(list: T[], keyOf: (entry: T) => string) => list.filter((entry) => !done.has(keyOf(entry)));
    const newGroups = await groupRows.insertGroups(
      tx,
      fresh(groups, ({ id }) => groupKey(id)).map((group) => ({ ...group, roles: rolesOf(group.roles) })),
    );
    const newUsers = await accountRows.insertAccounts(
      tx,
      fresh(accounts, ({ id }) => userKey(id)),
    );
    const known = await groupIds(tx);
    await groupRows.insertMemberships(tx, membershipsOf({ users, groups, newUsers, newGroups, known }));
    const names = [...newGroups, ...newUsers];
    const change = { part: 'people', id: '', change: 'imported', names };
    if (names.length > 0) await kernel.events.emit('site.changed', change, { tx, caller: callers.ANONYMOUS });
    const newKeys = [...[...newGroups].map(groupKey), ...[...newUsers].map(userKey)];
    await rememberImported(
      tx,
      key,
      newKeys.map((uid) => ({ uid, content: null })),
    );
    const isNew = (id: string) => newGroups.has(id) || newUsers.has(id);
    const all = principalBases({ groups, users, accounts, known });
    // Groups of the site get new members in later imports as well.
    const isRecorded = ({ uid, object }: PackedBase) => isNew(object) || (!job.again && uid === membersKey(object));
    await writeBases(tx, key, all.filter(isRecorded));
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
      if (created.has(id) || done.has(keyOf(id)) || (kind === 'groups' && EVERYWHERE.includes(id))) continue;
      report.add({
        reason: 'kept',
        path: `@${kind}/${id}`,
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
  await reportProperties(users, job);
  reportUsers(
    users.filter(({ username }) => made.newUsers.has(username)),
    made.known,
    job,
  );
  if (job.again) await updatePrincipals({ ...job, again: job.again }, { groups, users, accounts, known: made.known });
  return made.known;
}

/** Collects the groups and users of an export. */
async function collectPrincipals(job: ImportJob): Promise<{ groups: ExportedGroup[]; users: ExportedUser[] }> {
  const groups = await collect(job.source.groups(), ({ id }) => id, 'group', job);
  return {
    groups: groups.filter(({ id }) => id !== callers.AUTHENTICATED_USERS),
    users: await collect(job.source.users(), ({ username }) => username, 'user', job),
  };
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
    report.add({
      reason: 'principal',
      path: `@${kind}s/${id.slice(0, 100)}`,
      message: `The ${kind} ${id.slice(0, 100)} ${reason}.`,
    });
  }
  return [...found.values()];
}

const isUsable = (password: string | null): boolean => password !== null && passwords.isHash(password);

async function accountOf(user: ExportedUser, job: ImportJob): Promise<accountRows.ImportedAccount> {
  const { username: id, login, password, fullname, email, roles, description, home_page, location, others } = user;
  return {
    ...{ id, login, fullname, email },
    password: isUsable(password) ? password : null,
    roles: rolesOf(roles),
    properties: { ...others, description, home_page, location },
    portrait: await portraitOf(user, job),
  };
}

async function portraitOf({ username, portrait }: ExportedUser, job: ImportJob): Promise<StoredFile | null> {
  const path = `@users/${username}`;
  const stored = portrait && (await storeFile(job, path, portrait, true));
  if (!stored || stored['content-type'].startsWith('image/')) return stored ?? null;
  const message = `The portrait of ${username} is no picture and is left out.`;
  job.report.add({ reason: 'value', path, key: 'portrait', message });
  return null;
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
  users: ExportedUser[];
  groups: ExportedGroup[];
  newUsers: ReadonlySet<string>;
  newGroups: ReadonlySet<string>;
  known: ReadonlySet<string>;
}): groupRows.Membership[] {
  const all: groupRows.Membership[] = [
    ...users.flatMap(({ username, groups: of }) => of.map((group) => ({ group, member: username, isGroup: false }))),
    ...groups.flatMap(({ id, groups: of }) => of.map((group) => ({ group, member: id, isGroup: true }))),
    ...groups.flatMap(({ id, members }) =>
      members.map((member) => ({ group: id, member, isGroup: known.has(member) })),
    ),
  ];
  const isNew = ({ group, member, isGroup }: groupRows.Membership) =>
    newGroups.has(group) || (isGroup ? newGroups.has(member) : newUsers.has(member));
  return all.filter((membership) => known.has(membership.group) && isNew(membership));
}

/** Properties of every account, whatever the schema of users is. */
const STANDARD_PROPERTIES = ['description', 'home_page', 'location'];

/** Reports properties that the schema of users does not have: they are stored, but not served. */
async function reportProperties(users: ExportedUser[], { scope, report }: ImportJob): Promise<void> {
  if (users.every(({ others }) => Object.keys(others).length === 0)) return;
  const { rows } = await configuration.load(scope.db);
  const row = rows.find(({ kind, id }) => kind === configuration.KINDS.userSchema && id === sitePieces.USER_SCHEMA);
  const properties = memberOf(row?.data, 'properties');
  const known = new Set(isJsonObject(properties) ? Object.keys(properties) : STANDARD_PROPERTIES);
  for (const { username, others } of users) {
    for (const key of Object.keys(others)) {
      if (known.has(key)) continue;
      const message = `Users have no field ${key}: its value is kept, but not served until the schema of users has one.`;
      report.note({ reason: 'field', path: `@users/${username}`, key, message });
    }
  }
}

/** Reports passwords and groups that new users lose. */
function reportUsers(users: ExportedUser[], known: ReadonlySet<string>, { report }: ImportJob): void {
  for (const { username, groups, password } of users) {
    if (password !== null && !isUsable(password)) {
      report.add({
        reason: 'password',
        path: `@users/${username}`,
        key: 'password',
        message: `The password of ${username} is kept in a form that cannot be checked here: it has to be set anew.`,
      });
    }
    for (const group of groups) {
      if (known.has(group) || group === callers.AUTHENTICATED_USERS) continue;
      report.add({
        reason: 'principal',
        path: `@users/${username}`,
        key: 'groups',
        message: `The user ${username} is in the group ${group}, which is neither in the export nor on the site.`,
      });
    }
  }
}
