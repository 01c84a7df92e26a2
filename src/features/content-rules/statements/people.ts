import type { Queryable } from '#core';

/** A user in texts of rules. */
export type Person = { id: string; fullname: string; email: string };

/** Finds a user; undefined for an unknown id. */
export async function findPerson(db: Queryable, id: string): Promise<Person | undefined> {
  const [person] = await db.query<Person>({
    name: 'rule-person',
    text: 'select id, fullname, email from account where id = $1',
    values: [id],
  });
  return person;
}

/** The addresses of the users who have a role on the entire site, by themselves or by a group. At most `limit`. */
export async function emailsOfRole(db: Queryable, role: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ email: string }>({
    name: 'rule-emails-of-role',
    text: `select distinct a.email from account a
      where a.email <> '' and (a.roles @> array[$1] or exists (
        select from group_member m join principal_group g on g.id = m.group_id
        where m.member_id = a.id and not m.is_group and g.roles @> array[$1]
      )) order by a.email limit $2`,
    values: [role, limit],
  });
  return rows.map(({ email }) => email);
}
