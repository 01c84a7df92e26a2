import type { Queryable } from '#core';

/** The users that ids name: users, and members of groups and of the groups in them. At most `limit`, in the order of their ids. */
export async function usersNamed(db: Queryable, ids: readonly string[], limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    text: `with recursive named (id) as (
        select id from principal_group where id = any($1)
        union
        select m.member_id from group_member m join named n on m.group_id = n.id where m.is_group
      )
      select a.id from account a
      where a.disabled is null and (a.id = any($1)
        or exists (select from group_member m join named n on m.group_id = n.id where m.member_id = a.id and not m.is_group))
      order by a.id limit $2`,
    values: [ids, limit],
  });
  return rows.map(({ id }) => id);
}

/** Name, address and properties of a user who can log in; undefined for others. */
export type Recipient = { fullname: string; email: string; properties: Record<string, unknown> };

export async function findRecipient(db: Queryable, id: string): Promise<Recipient | undefined> {
  const [row] = await db.query<Recipient>({
    text: 'select fullname, email, properties from account where id = $1 and disabled is null',
    values: [id],
  });
  return row;
}
