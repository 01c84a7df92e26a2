import type { Queryable } from '../database.ts';

/** What an account is made of; `password` is a hash. */
export type NewAccount = {
  id: string;
  login: string;
  password: string;
  fullname: string;
  email: string;
  roles: string[];
  properties: Record<string, string>;
  created: Date;
};

/** Makes an account. */
export async function insertAccount(db: Queryable, account: NewAccount): Promise<void> {
  const { id, login, password, fullname, email, roles, properties, created } = account;
  await db.query({
    text: `insert into account (id, login, password, fullname, email, roles, properties, created)
      values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8)`,
    values: [id, login, password, fullname, email, roles, JSON.stringify(properties), created],
  });
}

/** Columns that a change may set; what is absent stays. `properties` are merged into those that are there. */
export type AccountChange = Partial<Pick<NewAccount, 'login' | 'fullname' | 'email' | 'roles' | 'properties'>>;

/** Changes the given columns of an account in one statement. */
export async function updateAccount(db: Queryable, id: string, change: AccountChange): Promise<void> {
  const { login, fullname, email, roles, properties } = change;
  await db.query({
    text: `update account set login = coalesce($2, login), fullname = coalesce($3, fullname), email = coalesce($4, email),
      roles = coalesce($5::text[], roles), properties = properties || coalesce($6::jsonb, '{}') where id = $1`,
    values: [id, login, fullname, email, roles, properties === undefined ? null : JSON.stringify(properties)],
  });
}

/** Removes an account with its tokens and its memberships. Local roles are removed by `dropLocalRoles`. */
export async function deleteAccount(db: Queryable, id: string): Promise<void> {
  await db.query({
    text: `with gone as (delete from group_member where member_id = $1 and not is_group) delete from account where id = $1`,
    values: [id],
  });
}
