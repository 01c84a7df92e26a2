import type { Queryable } from '../../../storage/database.ts';

/** Whether an account (but for `except`) or a group has this id, or an account this login name, whatever their case. */
export async function isNameTaken(db: Queryable, name: string, except: string | null): Promise<boolean> {
  const rows = await db.query({
    text: `select 1 from account where (lower(id) = lower($1) or lower(login) = lower($1)) and id is distinct from $2
      union all select 1 from principal_group where lower(id) = lower($1) limit 1`,
    values: [name, except],
  });
  return rows.length > 0;
}

/** Which of the ids are those of accounts, and which those of groups. */
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

/** As `knownPrincipals`; none of those found can be removed before the transaction ends. */
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
