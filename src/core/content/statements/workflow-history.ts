import { cacheTagsOf } from '../../../database/cache-tags.ts';
import type { Queryable } from '../../../database/database.ts';
import { NODE_COLUMNS } from '../../search/statements/fragments.ts';
import type { TreeNode } from '../../types/content-row.ts';

/** One entry of an object's workflow history. `action` is null for the creation. */
export type HistoryEntry = {
  workflow: string;
  action: string | null;
  actor: string;
  comments: string;
  reviewState: string;
  at: Date;
};

/** The head of each statement that adds entries, whose query follows. */
export const INTO_HISTORY =
  'insert into workflow_history (content, workflow, action, actor, comments, review_state, at)';

/** Adds entries to the workflow histories of objects, in the order given. */
export async function addHistory(
  db: Queryable,
  entries: readonly (HistoryEntry & { content: number })[],
): Promise<void> {
  if (entries.length === 0) return;
  await db.query({
    name: 'add-history',
    deferred: true,
    text: `${INTO_HISTORY}
      select content, workflow, action, actor, comments, state, at
      from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
        with ordinality n(content, workflow, action, actor, comments, state, at, number)
      order by number`,
    values: [
      entries.map(({ content }) => content),
      entries.map(({ workflow }) => workflow),
      entries.map(({ action }) => action),
      entries.map(({ actor }) => actor),
      entries.map(({ comments }) => comments),
      entries.map(({ reviewState }) => reviewState),
      entries.map(({ at }) => at),
    ],
  });
}

/** The workflow history of an object, oldest first. A change of the history counts as a change of the object. */
export const loadHistory = (db: Queryable, content: number): Promise<HistoryEntry[]> =>
  db.query<HistoryEntry>({
    name: 'read-history',
    text: `select workflow, action, actor, comments, review_state as "reviewState", at from workflow_history where content = $1 order by id`,
    values: [content],
    tags: () => cacheTagsOf([content]),
  });

/**
 * All objects below `path`, without working copies, which stay unchanged until their check-in; they are locked against other writers until the
 * transaction ends. Containers come before their children.
 */
export const lockBelow = (db: Queryable, path: string): Promise<TreeNode[]> =>
  db.query<TreeNode>({
    name: 'transition-hold-below',
    text: `select ${NODE_COLUMNS} from content c
      where c.path <> $1 and ($1 = '/' or c.path > $1 || '/' and c.path < $1 || '0')
        and not exists (select from working_copy w where w.copy = c.oid)
      order by length(c.path), c.path for no key update of c`,
    values: [path],
  });

/** The new state of an object, with the id of its workflow. */
export type StateChange = { oid: number; workflow: string; state: string };

/** Values that all objects of one transition share. An absent date does not change, except that an object without an effective date gets one. */
export type TransitionEntry = {
  action: string;
  actor: string;
  comments: string;
  at: Date;
  effective: Date | undefined;
  expires: Date | undefined;
};

const STORED_DATE = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const REPLACED = (name: string) =>
  `case when o.${name} is distinct from o.new_${name} then jsonb_build_object('${name}', ${STORED_DATE(`o.${name}`)}) else '{}' end`;

/** Writes states, history and the dates of former versions. All parts see the rows before the change. */
const MOVE_ALONG = `with old as (
    select t.oid, t.workflow, t.state, c.effective, c.expires,
      coalesce($7::timestamptz, c.effective, $6::timestamptz) as new_effective, coalesce($8::timestamptz, c.expires) as new_expires
    from unnest($1::bigint[], $2::text[], $3::text[]) t(oid, workflow, state) join content c using (oid)
  ), moved as (
    update content c set review_state = o.state, modified = $6, effective = o.new_effective, expires = o.new_expires
    from old o where c.oid = o.oid
  ), entered as (
    ${INTO_HISTORY}
    select oid, workflow, $4, $5, $9, state, $6 from old order by oid
  ), kept as (
  update version v set replaced = ${REPLACED('effective')} || ${REPLACED('expires')} || v.replaced
  from old o
  where v.content = o.oid and v.number = (select max(number) from version where content = o.oid)
    and (o.effective is distinct from o.new_effective or o.expires is distinct from o.new_expires)
  )
  select oid, effective, expires, new_effective as "newEffective", new_expires as "newExpires" from old
  where effective is distinct from new_effective or expires is distinct from new_expires`;

/** The dates of an object before and after a transition that has changed them. */
export type MovedDates = {
  oid: number;
  effective: Date | null;
  expires: Date | null;
  newEffective: Date | null;
  newExpires: Date | null;
};

/**
 * Gives objects, which the caller has locked, their new states with one statement for any number of objects. Returns the new dates of objects whose
 * dates have changed.
 */
export async function moveAlong(
  db: Queryable,
  changes: readonly StateChange[],
  { action, actor, comments, at, effective, expires }: TransitionEntry,
): Promise<MovedDates[]> {
  return db.query<MovedDates>({
    name: 'transition-move-along',
    text: MOVE_ALONG,
    values: [
      changes.map(({ oid }) => oid),
      changes.map(({ workflow }) => workflow),
      changes.map(({ state }) => state),
      action,
      actor,
      at,
      effective,
      expires,
      comments,
    ],
  });
}

/** The state that an object gets because its workflow has changed; null for none. */
export type SettledState = { oid: number; workflow: string | null; state: string | null };

/** The user and the time of a change of states without a transition. */
type Settling = Pick<HistoryEntry, 'actor' | 'comments' | 'at'>;

/** Gives the objects of the query `settled` (oid, workflow, state) their states, with an entry in the history of each that has a workflow. */
const SETTLE = (settled: string) => `with ${settled}, entered as (
    ${INTO_HISTORY}
    select oid, workflow, null, $1, $2, state, $3 from settled where workflow is not null and state is not null order by oid
  )
  update content c set review_state = s.state from settled s where c.oid = s.oid`;

/** Gives locked objects states without a transition, and changes nothing else. */
export async function settleStates(
  tx: Queryable,
  changes: readonly SettledState[],
  { actor, comments, at }: Settling,
): Promise<void> {
  await tx.query({
    name: 'settle-states',
    text: SETTLE('settled as (select * from unnest($4::bigint[], $5::text[], $6::text[]) t(oid, workflow, state))'),
    values: [
      actor,
      comments,
      at,
      changes.map(({ oid }) => oid),
      changes.map(({ workflow }) => workflow),
      changes.map(({ state }) => state),
    ],
  });
}

/** The new state for content of a type in an old state, and the id of its workflow; null for none. */
export type StateMove = { type: string; from: string | null; to: string | null; workflow: string | null };

/** Moves all content to other states at once, without a limit of time. */
export async function moveStates(
  tx: Queryable,
  moves: readonly StateMove[],
  { actor, comments, at }: Settling,
): Promise<void> {
  // One statement for the whole site may take longer than a statement of a request.
  await tx.query({ text: 'set local statement_timeout = 0' });
  await tx.query({
    name: 'move-states',
    text: SETTLE(`settled as (
      select c.oid, m.workflow, m.state from content c
        join unnest($4::text[], $5::text[], $6::text[], $7::text[]) m(type, old, state, workflow)
        on m.type = c.type and m.old = coalesce(c.review_state, '')
    )`),
    values: [
      actor,
      comments,
      at,
      moves.map(({ type }) => type),
      moves.map(({ from }) => from ?? ''),
      moves.map(({ to }) => to),
      moves.map(({ workflow }) => workflow),
    ],
  });
}
