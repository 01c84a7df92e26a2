import type { Queryable } from '../../../storage/database.ts';

/** An account as an import makes it. `password` is a hash that a login understands, or null. */
export type NewAccount = {
  id: string;
  password: string | null;
  fullname: string;
  email: string;
  roles: string[];
  properties: Record<string, string>;
};

type NewGroup = { id: string; title: string; description: string; email: string; roles: string[] };

export type Membership = { group: string; member: string; isGroup: boolean };

/** Inserts accounts. Answers the ids of those whose id and login name were free; the others stay as they are. */
export async function insertAccounts(db: Queryable, accounts: readonly NewAccount[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({
    name: 'insert-accounts',
    text: `insert into account (id, login, password, fullname, email, roles, properties)
      select id, id, password, fullname, email, array(select jsonb_array_elements_text(roles)), properties
      from jsonb_to_recordset($1::jsonb) n(id text, password text, fullname text, email text, roles jsonb, properties jsonb)
      on conflict do nothing returning id`,
    values: [JSON.stringify(accounts)],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Inserts groups. Answers the ids of those that are new; the others stay as they are. */
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

/** Puts users and groups into groups; memberships that are there already stay. */
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

/** Ids of all groups of the site. */
export async function groupIds(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({ name: 'group-ids', text: 'select id from principal_group' });
  return new Set(rows.map(({ id }) => id));
}
