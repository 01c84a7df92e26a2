import type { Queryable } from '../../../database/database.ts';
import { fieldValue, storedRow } from '../../search/statements/long-fields.ts';

/** The number of times that a role is given: to users, to groups, on objects, on objects in the recycle bin, and in content rules. */
export type RoleUse = { users: number; groups: number; objects: number; recycled: number; rules: number };

const HAS = 'jsonb_path_exists(';
const GIVEN = `, '$.*[*] ? (@ == $role)', jsonb_build_object('role', $1::text))`;

/** The places at which a role is given. Reads all content. */
export async function roleUse(tx: Queryable, role: string): Promise<RoleUse> {
  const [use] = await tx.query<RoleUse>({
    name: 'role-use',
    text: `select (select count(*)::int from account where $1 = any(roles)) as users,
      (select count(*)::int from principal_group where $1 = any(roles)) as groups,
      (select count(*)::int from content where ${HAS}local_roles${GIVEN}) as objects,
      (select count(*)::int from recycled_object where ${HAS}data->'local_roles'${GIVEN}) as recycled,
      (select count(*)::int from content_rule where position(to_json($1::text)::text in conditions::text) > 0) as rules`,
    values: [role],
  });
  return use ?? { users: 0, groups: 0, objects: 0, recycled: 0, rules: 0 };
}

/** The amount of content of a type in a state, in the tree and in the recycle bin. */
export type StateUse = { type: string; state: string | null; count: number };

/** The states of content of these types. */
export const statesInUse = (tx: Queryable, types: readonly string[]): Promise<StateUse[]> =>
  tx.query<StateUse>({
    name: 'states-in-use',
    text: `select type, state, count(*)::int as count from (
        select type, review_state as state from content where type = any($1)
        union all select data->>'type', data->>'review_state' from recycled_object where data->>'type' = any($1)
      ) used group by type, state order by type, state`,
    values: [types],
  });

/** Values of a field that count as no value, like its default. */
const NOTHING: readonly unknown[] = [null, '', [], {}];

/** Maximum number of objects with a value that a report names. */
const MAX_NAMED = 3;

/** A question about the values of a field: which values count as empty, or which value is searched. */
export type ValueQuestion = { field: string; nothing?: readonly unknown[]; token?: string };

/** The number of objects with a value, and the paths of the first objects; objects in the recycle bin have no path. */
export type ValueUse = { count: number; paths: string[] };

const HAS_VALUE = `value is not null and case when $4::text is null
  then value not in (select jsonb_array_elements($3::jsonb)) else value @> to_jsonb($4::text) end`;

const VALUE = `select c.path, ${fieldValue('c', '$2::text')} as value`;
const VALUES = `${VALUE} from content c where c.type = any($1)`;
const RECYCLED_VALUES = `${VALUE} from recycled_object o cross join lateral ${storedRow('o.data')} c where o.data->>'type' = any($1)`;

/** Counts the objects of these types that have a value in a field, in the tree and in the recycle bin. Reads all content of the types. */
export async function valueUse(
  tx: Queryable,
  types: readonly string[],
  { field, nothing = [], token }: ValueQuestion,
): Promise<ValueUse> {
  const values = [types, field, JSON.stringify([...NOTHING, ...nothing]), token ?? null];
  // One statement for the whole site may take longer than a statement of a request.
  await tx.query({ text: 'set local statement_timeout = 0' });
  const [counted] = await tx.query<{ count: number }>({
    name: 'count-values',
    text: `select count(*)::int as count from (
        ${VALUES} union all ${RECYCLED_VALUES}
      ) used where ${HAS_VALUE}`,
    values,
  });
  const count = counted?.count ?? 0;
  if (count === 0) return { count, paths: [] };
  const rows = await tx.query<{ path: string }>({
    name: 'paths-with-values',
    text: `select path from (${VALUES}) used where ${HAS_VALUE} order by path limit ${MAX_NAMED}`,
    values,
  });
  return { count, paths: rows.map(({ path }) => path) };
}
