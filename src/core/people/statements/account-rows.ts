import type { Queryable } from '../../../database/database.ts';

/** The columns of a new account. `password` is a hash, or null for users who set it later. */
type NewAccount = {
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

/** JSON for a column in which an absent value is SQL's null, not the JSON of null. */
const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

/** Inserts an account. */
export async function insertAccount(db: Queryable, account: NewAccount): Promise<void> {
  const { id, login, password, fullname, email, roles, properties, portrait, created } = account;
  await db.query({
    text: `insert into account (id, login, password, fullname, email, roles, properties, portrait, created)
      values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9)`,
    values: [id, login, password, fullname, email, roles, JSON.stringify(properties), jsonOrNull(portrait), created],
  });
}

/**
 * Columns that a change may set; absent ones stay. `properties` are merged into the stored ones; a null picture is
 * removed.
 */
export type AccountChange = Partial<
  Pick<NewAccount, 'login' | 'fullname' | 'email' | 'roles' | 'properties' | 'portrait'> & { disabled: Date | null }
>;

/** Changes the given columns of an account in one statement. */
export async function updateAccount(db: Queryable, id: string, change: AccountChange): Promise<void> {
  const { login, fullname, email, roles, properties, portrait, disabled } = change;
  await db.query({
    text: `update account set login = coalesce($2, login), fullname = coalesce($3, fullname), email = coalesce($4, email),
      roles = coalesce($5::text[], roles),
      properties = properties || coalesce($6::jsonb, '{}'),
      portrait = case when $7::boolean then $8::jsonb else portrait end,
      disabled = case when $9::boolean then $10::timestamptz else disabled end where id = $1`,
    values: [
      ...[id, login, fullname, email, roles, jsonOrNull(properties), portrait !== undefined, jsonOrNull(portrait)],
      ...[disabled !== undefined, disabled ?? null],
    ],
  });
}

/** Deletes an account with its tokens and its memberships. Local roles are removed by `dropLocalRoles`. */
export async function deleteAccount(db: Queryable, id: string): Promise<void> {
  await db.query({
    text: `with gone as (delete from group_member where member_id = $1 and not is_group) delete from account where id = $1`,
    values: [id],
  });
}

/** An account of an import; existing accounts stay unchanged. */
export type ImportedAccount = Omit<NewAccount, 'created'>;

/** Inserts accounts whose id and login name are free. Returns their ids; present accounts stay unchanged. */
export async function insertAccounts(db: Queryable, accounts: readonly ImportedAccount[]): Promise<Set<string>> {
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

/** A part of a statement: sets the second factor of the accounts of a condition; null removes it. */
export const SET_SECOND_FACTOR = (factor: string | null, condition: string) =>
  `update account set second_factor = ${factor === null ? 'null' : `'${factor}'`} where ${condition}`;
