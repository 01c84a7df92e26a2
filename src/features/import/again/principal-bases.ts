import type { ExportedGroup, ExportedUser } from '@canopy-server/site-reader';
import type { accountRows } from '#core';
import type { JsonObject } from '#lib/json-object';
import type { PackedBase } from '../statements/bases.ts';
import type { PresentAccount, PresentGroup } from '../statements/principals.ts';
import { pack } from './imported-state.ts';

/** The users and groups of an export. `known` are the ids of all groups of the site. */
export type Principals = {
  groups: readonly ExportedGroup[];
  users: readonly ExportedUser[];
  accounts: readonly accountRows.ImportedAccount[];
  known: ReadonlySet<string>;
};

export const userKey = (id: string): string => `#account:${id}`;
export const groupKey = (id: string): string => `#principals:${id}`;
export const membersKey = (id: string): string => `#members:${id}`;

/** The parts of a user that imports compare. Login names and passwords stay those of the site. */
export function accountParts({ fullname, email, roles, properties, portrait }: Omit<PresentAccount, 'id'>): JsonObject {
  const own = Object.entries(properties).map(([name, value]) => [`property:${name}`, value] as const);
  const parts = { fullname, email, roles: [...roles].sort(), portrait: portrait ?? null, ...Object.fromEntries(own) };
  const normal: JsonObject = JSON.parse(JSON.stringify(parts));
  return normal;
}

/** The parts of a group that imports compare. */
export const groupParts = ({ title, description, email, roles }: Omit<PresentGroup, 'id'>): JsonObject => ({
  ...{ title, description, email },
  roles: [...roles].sort(),
});

/** Members as texts: `user:<id>` or `group:<id>`. */
export const memberToken = (member: string, isGroup: boolean): string => `${isGroup ? 'group' : 'user'}:${member}`;

/** Returns the members of each group of an export. */
function membersThere({ users, groups, known }: Principals): Map<string, string[]> {
  const members = new Map<string, Set<string>>(groups.map(({ id }) => [id, new Set<string>()]));
  const put = (group: string, token: string) =>
    members.set(group, (members.get(group) ?? new Set<string>()).add(token));
  for (const { username, groups: of } of users) for (const group of of) put(group, memberToken(username, false));
  for (const { id, groups: of, members: direct } of groups) {
    for (const group of of) put(group, memberToken(id, true));
    for (const member of direct) put(id, memberToken(member, known.has(member)));
  }
  return new Map([...members].map(([group, tokens]) => [group, [...tokens].sort()]));
}

const base = (uid: string, object: string, value: unknown): PackedBase => ({
  ...{ uid, object, parent: '', name: '' },
  state: pack(value),
});

/** Returns the bases of users, of groups and of the members of groups. */
export function principalBases(principals: Principals): PackedBase[] {
  return [
    ...principals.accounts.map((account) => base(userKey(account.id), account.id, accountParts(account))),
    ...principals.groups.map((group) => base(groupKey(group.id), group.id, groupParts(group))),
    ...[...membersThere(principals)].map(([group, members]) => base(membersKey(group), group, members)),
  ];
}
