import type { Queryable } from '../../../database/database.ts';
import { AUTHENTICATED_USERS } from '../../security/caller.ts';

/** The columns of a group that clients set. */
export type GroupData = { title: string; description: string; email: string; roles: string[] };

/** Inserts a group without members. */
export async function insertGroup(
  db: Queryable,
  id: string,
  { title, description, email, roles }: GroupData,
): Promise<void> {
  await db.query({
    text: 'insert into principal_group (id, title, description, email, roles) values ($1, $2, $3, $4, $5)',
    values: [id, title, description, email, roles],
  });
}

/** Changes the given columns of a group; absent ones stay. */
export async function updateGroup(
  db: Queryable,
  id: string,
  { title, description, email, roles }: { [Column in keyof GroupData]?: GroupData[Column] | undefined },
): Promise<void> {
  await db.query({
    text: `update principal_group set title = coalesce($2, title), description = coalesce($3, description),
      email = coalesce($4, email), roles = coalesce($5::text[], roles) where id = $1`,
    values: [id, title, description, email, roles],
  });
}

/** Deletes a group with its memberships. Local roles are removed by `dropLocalRoles`. */
export async function deleteGroup(db: Queryable, id: string): Promise<void> {
  await db.query({
    text: `with gone as (delete from group_member where member_id = $1 and is_group) delete from principal_group where id = $1`,
    values: [id],
  });
}

/** Replaces the roles of the virtual group of all users. */
export async function giveEverybody(db: Queryable, roles: string[]): Promise<void> {
  await db.query({
    text: `insert into principal_group (id, title, roles) values ('${AUTHENTICATED_USERS}', '${AUTHENTICATED_USERS}', $1)
      on conflict (id) do update set roles = excluded.roles`,
    values: [roles],
  });
}

/** Users or groups as members of a group. */
type Members = { ids: string[]; isGroup: boolean };

/** Removes users or groups from a group. */
export async function removeMembers(db: Queryable, group: string, { ids, isGroup }: Members): Promise<void> {
  if (ids.length === 0) return;
  await db.query({
    text: 'delete from group_member where group_id = $1 and member_id = any($2) and is_group = $3',
    values: [group, ids, isGroup],
  });
}

/** Removes all users or all groups from a group except the given ones. */
export async function keepMembers(db: Queryable, group: string, { ids, isGroup }: Members): Promise<void> {
  await db.query({
    text: 'delete from group_member where group_id = $1 and not (member_id = any($2)) and is_group = $3',
    values: [group, ids, isGroup],
  });
}

/** Inserts groups whose ids are free. Returns their ids; present groups stay unchanged. */
export async function insertGroups(
  db: Queryable,
  groups: readonly (GroupData & { id: string })[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({
    name: 'insert-groups',
    text: `insert into principal_group (id, title, description, email, roles)
      select id, title, description, email, array(select jsonb_array_elements_text(roles))
      from jsonb_to_recordset($1::jsonb) n(id text, title text, description text, email text, roles jsonb)
      on conflict do nothing returning id`,
    values: [JSON.stringify(groups)],
  });
  return new Set(rows.map(({ id }) => id));
}

export type Membership = { group: string; member: string; isGroup: boolean };

/** Adds users and groups to groups; present memberships stay. */
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

/** Adds each of some users or groups to all of some groups; present memberships stay. */
export async function addMembers(db: Queryable, groups: string[], { ids, isGroup }: Members): Promise<void> {
  const memberships = groups.flatMap((group) => ids.map((member) => ({ group, member, isGroup })));
  if (memberships.length > 0) await insertMemberships(db, memberships);
}

/** A group of users in the form of profiles. */
export type GroupDefinition = { id: string; title: string; description: string; roles: string[] };

/** Makes groups, or gives existing groups the values of profiles; members and addresses stay. */
export async function writeGroupDefinitions(tx: Queryable, groups: readonly GroupDefinition[]): Promise<void> {
  await tx.query({
    name: 'write-group-definitions',
    text: `insert into principal_group (id, title, description, roles)
      select id, title, description, array(select jsonb_array_elements_text(roles))
      from jsonb_to_recordset($1::jsonb) n(id text, title text, description text, roles jsonb)
      on conflict (id) do update set title = excluded.title, description = excluded.description, roles = excluded.roles`,
    values: [JSON.stringify(groups)],
  });
}

/** Removes groups. */
export async function removeGroupDefinitions(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query({
    name: 'remove-group-definitions',
    text: 'delete from principal_group where id = any($1)',
    values: [ids],
  });
}
