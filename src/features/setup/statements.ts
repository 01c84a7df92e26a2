import type { Queryable } from '#core';

/** A move of content of a type in a state: its new state and the id of its workflow; null for none. */
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
