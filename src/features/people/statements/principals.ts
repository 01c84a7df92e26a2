import { hasRows, type Queryable } from '#core';

/** Says if an account (except `except`) or a group has this id, or an account has this login name, in upper or lower case. */
export const isNameTaken = (db: Queryable, name: string, except: string | null): Promise<boolean> =>
  hasRows(db, {
    text: `select 1 from account where (lower(id) = lower($1) or lower(login) = lower($1)) and id is distinct from $2
      union all select 1 from principal_group where lower(id) = lower($1) limit 1`,
    values: [name, except],
  });

/** Returns which of the ids belong to accounts, and which to groups. */
export async function knownPrincipals(
  db: Queryable,
  ids: string[],
): Promise<{ users: Set<string>; groups: Set<string> }> {
  const rows = await db.query<{ id: string; is_group: boolean }>({
    text: `select id, false as is_group from account where id = any($1)
      union all select id, true from principal_group where id = any($1)`,
    values: [ids],
  });
  const idsOf = (isGroup: boolean) => new Set(rows.filter((row) => row.is_group === isGroup).map((row) => row.id));
  return { users: idsOf(false), groups: idsOf(true) };
}

/** Like `knownPrincipals`, but locks the rows: none of them can be removed before the transaction ends. */
export async function lockPrincipals(
  tx: Queryable,
  ids: string[],
): Promise<{ users: Set<string>; groups: Set<string> }> {
  const lockMode = async (table: 'account' | 'principal_group') => {
    const text = `select id from ${table} where id = any($1) order by id for key share`;
    return new Set((await tx.query<{ id: string }>({ text, values: [ids] })).map((row) => row.id));
  };
  return { users: await lockMode('account'), groups: await lockMode('principal_group') };
}

/** The key of the advisory lock: a fixed number that no other program in the same database is likely to use. */
const PEOPLE_LOCK = 4_072_026_003;

/**
 * Waits for any other change of accounts and groups, and keeps others out until the transaction ends. No constraint can express the rules that names
 * are unique across two tables and that a Manager remains.
 */
export async function lockPeople(tx: Queryable): Promise<void> {
  await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [PEOPLE_LOCK] });
}

// `union` without `all` ends the recursion in a cycle of groups.
const TEXT = `with recursive managing (id) as (
    select id from principal_group where 'Manager' = any(roles)
    union select m.member_id from group_member m join managing g on m.group_id = g.id where m.is_group
  )
  select 1 from account a where a.password is not null and a.disabled is null and (
    'Manager' = any(a.roles) or exists (
      select 1 from group_member m join managing g on m.group_id = g.id where m.member_id = a.id and not m.is_group
    )
  ) limit 1`;

/** True if a user who can log in has the role Manager, directly or through a group. */
export async function hasManager(db: Queryable): Promise<boolean> {
  return (await db.query({ name: 'people-has-manager', text: TEXT })).length > 0;
}
