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

/** How much content of a type is in a state, in the tree and in the recycle bin. */
export type StateUse = { type: string; state: string | null; count: number };

/** The states that content of these types is in. */
export const statesInUse = (tx: Queryable, types: readonly string[]): Promise<StateUse[]> =>
  tx.query<StateUse>({
    name: 'setup-states-in-use',
    text: `select type, state, count(*)::int as count from (
        select type, review_state as state from content where type = any($1)
        union all select data->>'type', data->>'review_state' from recycled_object where data->>'type' = any($1)
      ) used group by type, state order by type, state`,
    values: [types],
  });

/** What becomes of content of a type in a state: its new state and the id of its workflow; null for none. */
export type StateMove = { type: string; from: string | null; to: string | null; workflow: string | null };

/** Moves all content to other states at once, that in the recycle bin too. */
export async function moveStates(
  tx: Queryable,
  moves: readonly StateMove[],
  { actor, comments, at }: { actor: string; comments: string; at: Date },
): Promise<void> {
  const changed = moves.filter(({ from, to }) => from !== to);
  if (changed.length === 0) return;
  const lists = [
    changed.map(({ type }) => type),
    changed.map(({ from }) => from ?? ''),
    changed.map(({ to }) => to),
    changed.map(({ workflow }) => workflow),
  ];
  const MOVES =
    'm as (select * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) m(type, old, new, workflow))';
  // One statement for the whole site: it may take longer than those of requests.
  await tx.query({ text: 'set local statement_timeout = 0' });
  await tx.query({
    name: 'setup-move-states',
    text: `with ${MOVES}, moved as (
        select c.oid, m.new, m.workflow from content c join m on m.type = c.type and m.old = coalesce(c.review_state, '')
      ), entered as (
        insert into workflow_history (content, workflow, action, actor, comments, review_state, at)
        select oid, workflow, null, $5, $6, new, $7 from moved where workflow is not null and new is not null order by oid
      )
      update content c set review_state = moved.new from moved where c.oid = moved.oid`,
    values: [...lists, actor, comments, at],
  });
  await tx.query({
    name: 'setup-move-recycled-states',
    text: `with ${MOVES}
      update recycled_object r set data = jsonb_set(r.data, '{review_state}', coalesce(to_jsonb(m.new), 'null'))
      from m where m.type = r.data->>'type' and m.old = coalesce(r.data->>'review_state', '')`,
    values: lists,
  });
}
