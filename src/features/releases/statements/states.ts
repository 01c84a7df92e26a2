import { firstRow, type Queryable, type Transaction, type workflowHistory } from '#core';

/** The number of the last noted step of a release; 0 without one. */
export async function lastStep(db: Queryable, release: string): Promise<number> {
  const text = 'select max(step) as step from release_former_state where release = $1';
  return (await firstRow<{ step: number | null }>(db, { text, values: [release] }))?.step ?? 0;
}

/** Notes, as the next step of a release, the states of all content that is about to be moved to others, also in the recycle bin. */
export async function noteStates(
  tx: Transaction,
  release: string,
  moves: readonly workflowHistory.StateMove[],
): Promise<void> {
  // One statement for the whole site may take longer than a statement of a request.
  await tx.query({ text: 'set local statement_timeout = 0' });
  await tx.query({
    text: `insert into release_former_state (release, step, uid, former, present)
      select $1, (select coalesce(max(step), 0) + 1 from release_former_state where release = $1), uid, state, new from (
        select distinct on (o.uid) o.uid, o.state, m.new from (
          select uid, type, review_state as state, 0 as place from content where type = any($2::text[])
          union all
          select uid, data->>'type', data->>'review_state', 1 from recycled_object where data->>'type' = any($2::text[])
        ) o join unnest($2::text[], $3::text[], $4::text[]) m(type, old, new)
          on m.type = o.type and m.old = coalesce(o.state, '')
        order by o.uid, o.place
      ) moved`,
    values: [release, moves.map(({ type }) => type), moves.map(({ from }) => from ?? ''), moves.map(({ to }) => to)],
  });
}

/** A step of a release in which content got other states; null for none. */
export type NotedStep = { release: string; step: number | null };

/** Content of a type in a state, by their number. */
export type StateCount = { type: string; state: string | null; count: number };

/** The content that is in another state than the one that the step has brought it to. */
export const statesChangedSince = (tx: Queryable, { release, step }: NotedStep): Promise<StateCount[]> =>
  tx.query<StateCount>({
    text: `select c.type, c.review_state as state, count(*)::int as count
      from release_former_state s join content c on c.uid = s.uid
      where s.release = $1 and s.step = $2 and c.review_state is distinct from s.present
      group by c.type, c.review_state order by c.type, c.review_state`,
    values: [release, step],
  });

/** The content that the step has brought to other states, by the states that it had. */
export const formerStates = (tx: Queryable, { release, step }: NotedStep): Promise<StateCount[]> =>
  tx.query<StateCount>({
    text: `select c.type, s.former as state, count(*)::int as count
      from release_former_state s join content c on c.uid = s.uid
      where s.release = $1 and s.step = $2 group by c.type, s.former order by c.type, s.former`,
    values: [release, step],
  });

/** The content of some types that the step has not brought to other states, such as newer content. */
export const otherStates = (
  tx: Queryable,
  { release, step }: NotedStep,
  types: readonly string[],
): Promise<StateCount[]> =>
  tx.query<StateCount>({
    text: `select c.type, c.review_state as state, count(*)::int as count from content c
      where c.type = any($3) and not exists (
        select from release_former_state s where s.release = $1 and s.step = $2 and s.uid = c.uid)
      group by c.type, c.review_state order by c.type, c.review_state`,
    values: [release, step, types],
  });

/** An object with the state that it had; `oid` and `type` are null for one that is not in the tree. */
export type FormerState = {
  uid: string;
  former: string | null;
  present: string | null;
  oid: number | null;
  type: string | null;
};

/** A batch of the objects that a step has brought to other states, behind the object `after`. */
export const listFormerStates = (
  tx: Queryable,
  { release, step }: NotedStep,
  { after, limit }: { after: string; limit: number },
): Promise<FormerState[]> =>
  tx.query<FormerState>({
    name: 'release-former-states',
    text: `select s.uid, s.former, s.present, c.oid, c.type from release_former_state s left join content c on c.uid = s.uid
      where s.release = $1 and s.step = $2 and s.uid > $3 order by s.uid limit $4`,
    values: [release, step, after, limit],
  });
