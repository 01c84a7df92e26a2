import { callers, type Queryable } from '#core';

/** A group with one part of its members. */
export type Group = {
  id: string;
  title: string;
  description: string;
  email: string;
  /** Roles of the group itself, which all its members have. */
  ownRoles: string[];
  /** Ids of users and groups, in order. */
  members: string[];
  membersTotal: number;
};

/** The part of each group's members that is loaded. */
export type MemberBatch = { size: number; start: number };

/** The filter of a list of groups. Texts match parts, in upper or lower case. */
type GroupFilter = {
  /** Part of the id. */
  query?: string | undefined;
  /** Part of the id or the title. */
  search?: string | undefined;
  limit: number;
  offset: number;
};

const groups = (
  subjects: string,
  size: string,
  start: string,
) => `select g.id, g.title, g.description, g.email, g.roles as "ownRoles",
    array(select m.member_id from group_member m where m.group_id = g.id
      order by m.member_id, m.is_group limit ${size} offset ${start}) as members,
    (select count(*)::int from group_member m where m.group_id = g.id) as "membersTotal"
  from (${subjects}) g order by lower(g.title), g.id`;

// The row of the virtual group of all users contains their roles; lists of groups leave it out.
const BY_IDS = groups(
  `select * from principal_group where id = any($1) and id <> '${callers.AUTHENTICATED_USERS}'`,
  '$2',
  '$3',
);
const MATCHING = `principal_group
    where id <> '${callers.AUTHENTICATED_USERS}' and ($1::text is null or strpos(lower(id), lower($1)) > 0)
      and ($2::text is null or strpos(lower(id), lower($2)) > 0 or strpos(lower(title), lower($2)) > 0)`;
const FILTERED = groups(`select * from ${MATCHING} order by lower(title), id limit $3 offset $4`, '$5', '$6');

/** Returns the groups with the given ids, ordered by title. */
export const groupsById = (db: Queryable, ids: string[], { size, start }: MemberBatch): Promise<Group[]> =>
  db.query<Group>({ name: 'people-groups-by-id', text: BY_IDS, values: [ids, size, start] });

/** Returns a page of the groups that match the filter, ordered by title. */
export const listGroups = (
  db: Queryable,
  { query, search, limit, offset }: GroupFilter,
  { size, start }: MemberBatch,
): Promise<Group[]> =>
  db.query<Group>({ name: 'people-groups', text: FILTERED, values: [query, search, limit, offset, size, start] });

/** The number of groups that match the filter. */
export async function countGroups(
  db: Queryable,
  { query, search }: Omit<GroupFilter, 'limit' | 'offset'>,
): Promise<number> {
  const [row] = await db.query<{ total: number }>({
    name: 'people-groups-count',
    text: `select count(*)::int as total from ${MATCHING}`,
    values: [query, search],
  });
  return row?.total ?? 0;
}

/** Returns all roles that each group gives its members: its own roles, and the roles of the groups that it is in. */
export async function rolesOfGroups(db: Queryable, ids: string[]): Promise<Map<string, string[]>> {
  const rows = await db.query<{ id: string; roles: string[] }>({
    name: 'people-roles-of-groups',
    text: `with recursive above (start, id) as (
        select g, g from unnest($1::text[]) g
        union select a.start, m.group_id from above a join group_member m on m.member_id = a.id and m.is_group
      )
      select a.start as id, array_agg(distinct role) as roles
      from above a join principal_group p on p.id = a.id cross join unnest(p.roles) role group by a.start`,
    values: [ids],
  });
  return new Map(rows.map(({ id, roles }) => [id, roles]));
}

/** Returns the roles of the virtual group of all users. */
export async function rolesOfEverybody(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ roles: string[] }>({
    name: 'people-roles-of-everybody',
    text: `select roles from principal_group where id = '${callers.AUTHENTICATED_USERS}'`,
  });
  return rows[0]?.roles ?? [];
}
