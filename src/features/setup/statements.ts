import type { Queryable } from '../../storage/database.ts';

/** How often a role is given: to users, to groups, on objects, on objects in the recycle bin, and in content rules. */
export type RoleUse = { users: number; groups: number; objects: number; recycled: number; rules: number };

const HAS = 'jsonb_path_exists(';
const GIVEN = `, '$.*[*] ? (@ == $role)', jsonb_build_object('role', $1::text))`;

/** Where a role is given. Reads all content. */
export async function roleUse(tx: Queryable, role: string): Promise<RoleUse> {
  const [use] = await tx.query<RoleUse>({
    name: 'setup-role-use',
    text: `select (select count(*)::int from account where $1 = any(roles)) as users,
      (select count(*)::int from principal_group where $1 = any(roles)) as groups,
      (select count(*)::int from content where ${HAS}local_roles${GIVEN}) as objects,
      (select count(*)::int from recycled_object where ${HAS}data->'local_roles'${GIVEN}) as recycled,
      (select count(*)::int from content_rule where position(to_json($1::text)::text in conditions::text) > 0) as rules`,
    values: [role],
  });
  return use ?? { users: 0, groups: 0, objects: 0, recycled: 0, rules: 0 };
}
