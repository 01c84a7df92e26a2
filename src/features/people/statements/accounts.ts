import { callers, type Queryable } from '#core';

/** The description of the picture of an account; undefined when there is no such account or no picture. */
export async function portraitOf(db: Queryable, id: string): Promise<unknown> {
  const rows = await db.query<{ portrait: unknown }>({
    name: 'people-portrait',
    text: 'select portrait from account where id = $1',
    values: [id],
  });
  return rows[0]?.portrait ?? undefined;
}

/** The data of a user that others may see, without the password. */
export type Profile = {
  id: string;
  /** The name that the user types at login. */
  login: string;
  fullname: string;
  email: string;
  properties: Record<string, unknown>;
  hasPortrait: boolean;
  /** The time since when the user cannot log in; null for enabled users. */
  disabled: Date | null;
  /** True if the user needs more than the password to log in. */
  hasSecondFactor: boolean;
  /** The last login with a password or a provider. */
  lastLogin: Date | null;
  /** Roles of the account itself. */
  ownRoles: string[];
  /** Own roles and those of all groups. */
  roles: string[];
  /** All groups, nested ones and the group of all users included, by id. */
  groups: { id: string; title: string }[];
};

/** The filter of a list of users. Texts match parts, in upper or lower case. */
export type ProfileFilter = {
  /** Part of the id. */
  query?: string | undefined;
  /** Part of the id, the login name, the full name or the e-mail address. */
  search?: string | undefined;
  /** Part of the id or the full name. */
  name?: string | undefined;
  /** Members of any of these groups, or of groups in them. */
  groups?: string[] | undefined;
  limit: number;
  offset: number;
};

// Roles and groups of all subjects are gathered in one pass and joined: subqueries for each subject would repeat the
// recursion.
const profiles = (subjects: string) => `with recursive ${subjects},
  membership (account, group_id) as (
    (select id, '${callers.AUTHENTICATED_USERS}'::text from subject
     union select s.id, m.group_id from group_member m join subject s on m.member_id = s.id where not m.is_group)
    union
    select g.account, m.group_id from group_member m join membership g on m.member_id = g.group_id where m.is_group
  ),
  granted as (
    select account, array_agg(role order by role) as roles from (
      select id as account, unnest(roles) as role from subject
      union select m.account, unnest(p.roles) from membership m join principal_group p on p.id = m.group_id
    ) every_role group by account
  ),
  belonging as (
    select m.account, jsonb_agg(jsonb_build_object('id', m.group_id, 'title', coalesce(nullif(p.title, ''), m.group_id))
      order by m.group_id) as groups
    from membership m left join principal_group p on p.id = m.group_id group by m.account
  )
  select s.id, s.login, s.fullname, s.email, s.properties, s.portrait is not null as "hasPortrait",
    s.disabled, s.second_factor is not null as "hasSecondFactor", l.at as "lastLogin", s.roles as "ownRoles", coalesce(g.roles, '{}') as roles, b.groups
  from subject s left join granted g on g.account = s.id left join belonging b on b.account = s.id left join account_login l on l.account = s.id
  order by lower(s.fullname), s.id`;

const contains = (column: string, parameter: string) => `strpos(lower(${column}), lower(${parameter})) > 0`;

const BY_IDS = profiles('subject as (select * from account where id = any($1))');

const WANTED = `wanted (id) as (
    select unnest($4::text[])
    union select m.member_id from group_member m join wanted w on m.group_id = w.id where m.is_group
  )`;
const MATCHING = `account a
    where ($1::text is null or ${contains('a.id', '$1')})
      and ($2::text is null or ${['a.id', 'a.login', 'a.fullname', 'a.email'].map((c) => contains(c, '$2')).join(' or ')})
      and ($3::text is null or ${contains('a.id', '$3')} or ${contains('a.fullname', '$3')})
      and ($4::text[] is null or exists (select 1 from wanted where id = '${callers.AUTHENTICATED_USERS}') or a.id in (
        select m.member_id from group_member m join wanted w on m.group_id = w.id where not m.is_group))`;

const FILTERED = profiles(`${WANTED},
  subject as (
    select * from ${MATCHING}
    order by lower(a.fullname), a.id limit $5 offset $6
  )`);

/** Returns the users with the given ids, ordered by full name. One statement. */
export const profilesById = (db: Queryable, ids: string[]): Promise<Profile[]> =>
  db.query<Profile>({ name: 'people-profiles-by-id', text: BY_IDS, values: [ids] });

/** Returns a page of the users that match the filter, ordered by full name. One statement. */
export const listProfiles = (
  db: Queryable,
  { query, search, name, groups, limit, offset }: ProfileFilter,
): Promise<Profile[]> =>
  db.query<Profile>({ name: 'people-profiles', text: FILTERED, values: [query, search, name, groups, limit, offset] });

/** The number of users that match the filter. */
export async function countProfiles(
  db: Queryable,
  { query, search, name, groups }: Omit<ProfileFilter, 'limit' | 'offset'>,
): Promise<number> {
  const [row] = await db.query<{ total: number }>({
    name: 'people-profiles-count',
    text: `with recursive ${WANTED} select count(*)::int as total from ${MATCHING}`,
    values: [query, search, name, groups],
  });
  return row?.total ?? 0;
}

/** Stores the time of a login, unless a later login is stored. */
export async function noteLogin(db: Queryable, id: string, at: Date): Promise<void> {
  await db.query({
    text: `insert into account_login as l (account, at) select id, $2 from account where id = $1 for key share
      on conflict (account) do update set at = greatest(l.at, excluded.at)`,
    values: [id, at],
  });
}
