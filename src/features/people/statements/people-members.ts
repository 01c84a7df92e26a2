import type { Queryable } from '../../../storage/database.ts';

/** Users or groups that become members of a group, or cease to be. */
export type Members = { ids: string[]; isGroup: boolean };

/** Puts users or groups into groups, each into all; those that are members stay so. */
export async function addMembers(db: Queryable, groups: string[], { ids, isGroup }: Members): Promise<void> {
  if (ids.length === 0 || groups.length === 0) return;
  await db.query({
    text: `insert into group_member (group_id, member_id, is_group)
      select g, m, $3 from unnest($1::text[]) g cross join unnest($2::text[]) m on conflict do nothing`,
    values: [groups, ids, isGroup],
  });
}

/** Takes users or groups out of a group. */
export async function removeMembers(db: Queryable, group: string, { ids, isGroup }: Members): Promise<void> {
  if (ids.length === 0) return;
  await db.query({
    text: 'delete from group_member where group_id = $1 and member_id = any($2) and is_group = $3',
    values: [group, ids, isGroup],
  });
}

/** Takes all users or all groups out of a group but for the given ones. */
export async function keepMembers(db: Queryable, group: string, { ids, isGroup }: Members): Promise<void> {
  await db.query({
    text: 'delete from group_member where group_id = $1 and not (member_id = any($2)) and is_group = $3',
    values: [group, ids, isGroup],
  });
}
