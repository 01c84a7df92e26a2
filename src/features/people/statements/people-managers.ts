import type { Queryable } from '../../../storage/database.ts';

// `union` without `all` ends the recursion in a cycle of groups.
const TEXT = `with recursive managing (id) as (
    select id from principal_group where 'Manager' = any(roles)
    union select m.member_id from group_member m join managing g on m.group_id = g.id where m.is_group
  )
  select 1 from account a where a.password is not null and (
    'Manager' = any(a.roles) or exists (
      select 1 from group_member m join managing g on m.group_id = g.id where m.member_id = a.id and not m.is_group
    )
  ) limit 1`;

/** Whether anybody who can log in has the role Manager, of their own or through a group. */
export async function hasManager(db: Queryable): Promise<boolean> {
  return (await db.query({ name: 'people-has-manager', text: TEXT })).length > 0;
}
