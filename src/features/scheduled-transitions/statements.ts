import { claims, contentSql, firstRow, type Queryable } from '#core';

/** Transitions that wait for their time. Each is made in the transaction that takes it. */
export const TRANSITIONS = {
  name: 'scheduled-transition',
  concurrency: 1,
  pollMs: 30_000,
  minWaitMs: 50,
  backoff: [10_000, 60_000, 600_000, 3_600_000],
  maxAttempts: 5,
} satisfies claims.Kind;

/** A transition to be made at a time. */
export type ScheduledTransition = {
  id: string;
  transition: string;
  at: Date;
  comment: string;
  includeChildren: boolean;
  /** The user in whose name it is made; null when the user is gone. */
  actor: string | null;
  created: Date;
  /** Its outcome; `waiting` before the transition. */
  status: 'waiting' | 'done' | 'refused';
  finished: Date | null;
  /** The reason why it was refused. */
  reason: string | null;
};

const COLUMNS = `id, transition, at, comment, include_children as "includeChildren", actor, created, status, finished, reason`;

/** The scheduled transitions of an object: waiting transitions by their time, then the others, the latest first. */
export const listScheduled = (db: Queryable, content: number): Promise<ScheduledTransition[]> =>
  db.query<ScheduledTransition>({
    name: 'list-scheduled-transitions',
    text: `select ${COLUMNS} from scheduled_transition where content = $1
      order by status <> 'waiting', case when status = 'waiting' then at end, finished desc, id`,
    values: [content],
  });

/** One scheduled transition of an object; undefined when the object has no such transition. */
export async function findScheduled(
  db: Queryable,
  content: number,
  id: string,
): Promise<ScheduledTransition | undefined> {
  const text = `select ${COLUMNS} from scheduled_transition where content = $1 and id = $2`;
  return (await db.query<ScheduledTransition>({ text, values: [content, id] }))[0];
}

/**
 * Stores a transition unless `most` transitions of the object wait already; returns whether it was stored. Concurrent calls for an object wait for
 * each other. Of the past transitions of the object the last `kept` stay.
 */
export async function insertScheduled(
  tx: Queryable,
  content: number,
  {
    id,
    transition,
    at,
    comment,
    includeChildren,
    actor,
    created,
  }: Omit<ScheduledTransition, 'status' | 'finished' | 'reason'>,
  { most, kept }: { most: number; kept: number },
): Promise<boolean> {
  await tx.query({
    text: `select pg_advisory_xact_lock(hashtext('scheduled-transition'), hashtext($1::text))`,
    values: [String(content)],
  });
  await tx.query({
    text: `delete from scheduled_transition where id in (
      select id from scheduled_transition where content = $1 and status <> 'waiting' order by finished desc, id offset $2)`,
    values: [content, kept],
  });
  const rows = await tx.query({
    text: `with made as (
        insert into scheduled_transition (id, content, transition, at, due, comment, include_children, actor, created)
        select $1::text, $2::bigint, $3::text, $4::timestamptz, $4::timestamptz, $5::text, $6::boolean, $7::text, $8::timestamptz
        where (select count(*) from scheduled_transition where content = $2 and status = 'waiting') < $9
        returning 1
      )
      select ${claims.WAKE(TRANSITIONS.name)} from made`,
    values: [id, content, transition, at, comment, includeChildren, actor, created, most],
  });
  return rows.length > 0;
}

/** Removes a scheduled transition of an object, whatever its outcome. Returns whether it was there. */
export async function deleteScheduled(db: Queryable, content: number, id: string): Promise<boolean> {
  const text = 'delete from scheduled_transition where content = $1 and id = $2 returning 1';
  return (await db.query({ text, values: [content, id] })).length > 0;
}

/** A due transition, with the path of its object. */
export type DueTransition = Pick<ScheduledTransition, 'id' | 'transition' | 'comment' | 'includeChildren' | 'actor'> & {
  content: number;
  path: string;
  attempts: number;
};

/** A condition: transitions of one object are made in the order of their times. */
const NEXT_OF_OBJECT = `s.status = 'waiting' and not exists (select from scheduled_transition e
  where e.content = s.content and e.status = 'waiting' and (e.at, e.id) < (s.at, s.id))`;

/** Locks and returns a due transition that no other process has locked. All times are those of the database. */
export const lockDue = (tx: Queryable): Promise<DueTransition | undefined> =>
  firstRow<DueTransition>(tx, {
    name: 'lock-due-transition',
    text: claims.UNCLAIMED(
      `select s.id, s.content, s.transition, s.comment, s.include_children as "includeChildren", s.actor, s.attempts, c.path
      from scheduled_transition s join content c on c.oid = s.content
      where s.due <= now() and ${NEXT_OF_OBJECT} order by s.due, s.id limit 1`,
      { of: 's' },
    ),
  });

/** Milliseconds until the next transition is due; undefined when none waits. */
export const untilNextTransition = (db: Queryable): Promise<number | undefined> =>
  claims.untilDue(db, { name: 'next-due-transition', from: `scheduled_transition s where ${NEXT_OF_OBJECT}` });

/** Stores the outcome of a scheduled transition. `reason` is null for a transition that was made. */
export async function finishScheduled(tx: Queryable, id: string, reason: string | null): Promise<void> {
  await tx.query({
    name: 'finish-scheduled-transition',
    text: `update scheduled_transition set status = case when $2::text is null then 'done' else 'refused' end, reason = $2,
      finished = clock_timestamp() where id = $1`,
    values: [id, reason],
  });
}

/** Postpones a transition by `delayMs` milliseconds. */
export async function postponeScheduled(tx: Queryable, id: string, delayMs: number): Promise<void> {
  await tx.query({
    name: 'postpone-scheduled-transition',
    text: `update scheduled_transition set attempts = attempts + 1, due = ${claims.IN_MS('$2')} where id = $1`,
    values: [id, delayMs],
  });
}

/** Refuses transitions at and below a path whose time has passed, because the content was not there at that time. Returns their ids. */
export async function refuseMissed(tx: Queryable, path: string, reason: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'refuse-missed-transitions',
    text: `update scheduled_transition s set status = 'refused', reason = $2, finished = clock_timestamp()
      from content c where c.oid = s.content and s.status = 'waiting' and s.at <= now() and ${contentSql.AT_OR_BELOW('c.path', '$1::text')}
      returning s.id`,
    values: [path, reason],
  });
  return rows.map(({ id }) => id);
}

/** A refused transition, with the present path of its object. */
export type RefusedTransition = Pick<ScheduledTransition, 'transition' | 'at' | 'actor'> & {
  path: string;
  reason: string;
};

/** A refused transition; undefined when it was removed since. */
export const findRefused = (db: Queryable, id: string): Promise<RefusedTransition | undefined> =>
  firstRow<RefusedTransition>(db, {
    text: `select s.transition, s.at, s.actor, s.reason, c.path
      from scheduled_transition s join content c on c.oid = s.content where s.id = $1 and s.status = 'refused'`,
    values: [id],
  });
