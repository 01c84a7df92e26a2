import type { Queryable } from '#core';

/** Returns the ids of all groups of the site. */
export async function groupIds(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({ name: 'group-ids', text: 'select id from principal_group' });
  return new Set(rows.map(({ id }) => id));
}

/** An account, as far as imports compare it. */
export type PresentAccount = {
  id: string;
  fullname: string;
  email: string;
  roles: string[];
  properties: Record<string, unknown>;
  portrait: unknown;
};

/** Returns the accounts with these ids. */
export const presentAccounts = (db: Queryable, ids: readonly string[]): Promise<PresentAccount[]> =>
  db.query<PresentAccount>({
    name: 'present-accounts',
    text: 'select id, fullname, email, roles, properties, portrait from account where id = any($1)',
    values: [ids],
  });

/** A group, as far as imports compare it. */
export type PresentGroup = { id: string; title: string; description: string; email: string; roles: string[] };

/** Returns the groups with these ids. */
export const presentGroups = (db: Queryable, ids: readonly string[]): Promise<PresentGroup[]> =>
  db.query<PresentGroup>({
    name: 'present-groups',
    text: 'select id, title, description, email, roles from principal_group where id = any($1)',
    values: [ids],
  });

/** Returns the members of groups. */
export const presentMembers = (
  db: Queryable,
  groups: readonly string[],
): Promise<{ group: string; member: string; isGroup: boolean }[]> =>
  db.query({
    name: 'present-members',
    text: `select group_id as "group", member_id as member, is_group as "isGroup" from group_member where group_id = any($1)`,
    values: [groups],
  });
