import type { Queryable } from '#core';

/** An account of an import. `password` is a hash that can be checked at login, or null. */
export type NewAccount = {
  id: string;
  login: string;
  password: string | null;
  fullname: string;
  email: string;
  roles: string[];
  properties: Record<string, unknown>;
  /** The description of a stored picture. */
  portrait: object | null;
};

type NewGroup = { id: string; title: string; description: string; email: string; roles: string[] };

export type Membership = { group: string; member: string; isGroup: boolean };

/** Inserts accounts whose id and login name are free. Returns their ids; present accounts stay unchanged. */
export async function insertAccounts(db: Queryable, accounts: readonly NewAccount[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({
    name: 'insert-accounts',
    text: `insert into account (id, login, password, fullname, email, roles, properties, portrait)
      select id, login, password, fullname, email, array(select jsonb_array_elements_text(roles)), properties,
        nullif(portrait, 'null')
      from jsonb_to_recordset($1::jsonb) n(id text, login text, password text, fullname text, email text, roles jsonb,
        properties jsonb, portrait jsonb)
      on conflict do nothing returning id`,
    values: [JSON.stringify(accounts)],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Inserts groups whose ids are free. Returns their ids; present groups stay unchanged. */
export async function insertNewGroups(db: Queryable, groups: readonly NewGroup[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({
    name: 'insert-new-groups',
    text: `insert into principal_group (id, title, description, email, roles)
      select id, title, description, email, array(select jsonb_array_elements_text(roles))
      from jsonb_to_recordset($1::jsonb) n(id text, title text, description text, email text, roles jsonb)
      on conflict do nothing returning id`,
    values: [JSON.stringify(groups)],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Adds users and groups to groups; present memberships stay. */
export async function insertMemberships(db: Queryable, memberships: readonly Membership[]): Promise<void> {
  await db.query({
    name: 'insert-memberships',
    text: `insert into group_member (group_id, member_id, is_group)
      select * from unnest($1::text[], $2::text[], $3::boolean[]) on conflict do nothing`,
    values: [
      memberships.map(({ group }) => group),
      memberships.map(({ member }) => member),
      memberships.map(({ isGroup }) => isGroup),
    ],
  });
}

/** Returns the ids of all groups of the site. */
export async function groupIds(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({ name: 'group-ids', text: 'select id from principal_group' });
  return new Set(rows.map(({ id }) => id));
}
