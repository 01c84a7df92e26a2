import type { Queryable } from '../../../storage/database.ts';

/** What an account is made of; `password` is a hash, or null for one who sets it later. */
export type NewAccount = {
  id: string;
  login: string;
  password: string | null;
  fullname: string;
  email: string;
  roles: string[];
  properties: Record<string, unknown>;
  /** The description of a stored picture; null for none. */
  portrait: unknown;
  created: Date;
};

/** JSON for a column where an absent value is null, not the JSON of null. */
const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

/** Makes an account. */
export async function insertAccount(db: Queryable, account: NewAccount): Promise<void> {
  const { id, login, password, fullname, email, roles, properties, portrait, created } = account;
  await db.query({
    text: `insert into account (id, login, password, fullname, email, roles, properties, portrait, created)
      values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9)`,
    values: [id, login, password, fullname, email, roles, JSON.stringify(properties), jsonOrNull(portrait), created],
  });
}

/** Columns that a change may set; what is absent stays. `properties` are merged into those that are there; a null picture is removed. */
export type AccountChange = Partial<
  Pick<NewAccount, 'login' | 'fullname' | 'email' | 'roles' | 'properties' | 'portrait'>
>;

/** Changes the given columns of an account in one statement. */
export async function updateAccount(db: Queryable, id: string, change: AccountChange): Promise<void> {
  const { login, fullname, email, roles, properties, portrait } = change;
  await db.query({
    text: `update account set login = coalesce($2, login), fullname = coalesce($3, fullname), email = coalesce($4, email),
      roles = coalesce($5::text[], roles),
      properties = properties || coalesce($6::jsonb, '{}'),
      portrait = case when $7::boolean then $8::jsonb else portrait end where id = $1`,
    values: [id, login, fullname, email, roles, jsonOrNull(properties), portrait !== undefined, jsonOrNull(portrait)],
  });
}

/** Removes an account with its tokens and its memberships. Local roles are removed by `dropLocalRoles`. */
export async function deleteAccount(db: Queryable, id: string): Promise<void> {
  await db.query({
    text: `with gone as (delete from group_member where member_id = $1 and not is_group) delete from account where id = $1`,
    values: [id],
  });
}

/** The description of the picture of an account; undefined when there is no such account or no picture. */
export async function portraitOf(db: Queryable, id: string): Promise<unknown> {
  const rows = await db.query<{ portrait: unknown }>({
    name: 'people-portrait',
    text: 'select portrait from account where id = $1',
    values: [id],
  });
  return rows[0]?.portrait ?? undefined;
}
