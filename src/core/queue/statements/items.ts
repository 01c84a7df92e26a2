import { type Queryable, traceOf } from '../../../database/database.ts';
import { type Notes, noteIn } from '../../../database/transaction-notes.ts';
import type { JsonObject } from '../../../lib/json-object.ts';
import { storedTrace } from '../../../lib/process/trace.ts';
import { Slot } from '../../../lib/slots.ts';
import type { ItemKind } from '../queue-kind.ts';
import { IN_MS, QUEUE_CHANNEL, UNCLAIMED, untilDue } from './claim.ts';

/**
 * A piece of work that this process has taken. `topic` groups the work of a kind; `trace` is the stored trace of the request that began it, null for
 * none.
 */
export type QueueItem = { id: number; topic: string; data: unknown; attempts: number; trace: unknown };

/** A piece of work to be queued. */
type NewItem = { topic: string; data: unknown };

/** Work that the transaction of a dry run would queue: `summary` has the facts for Managers. */
export type NotedItem = { kind: string; topic: string; summary: JsonObject };

export const NOTED_ITEMS = new Slot<Notes<NotedItem>>('queued work of a rehearsal');

/** Maximum number of expired items that one statement removes. */
const PRUNE_BATCH = 100;

/** Queues work, which any process does after the commit. Returns false if the queue was full. `lifetimeMs` replaces the lifetime of the kind. */
export async function enqueue(
  db: Queryable,
  { name, maxWaiting, isAnnounced, lifetimeMs: lifetimeOfKind, summary = () => ({}) }: ItemKind,
  items: readonly NewItem[],
  { lifetimeMs = lifetimeOfKind }: { lifetimeMs?: number | undefined } = {},
): Promise<boolean> {
  const rows = await db.query({
    name: 'queue-items',
    text: `with queued as (
        insert into queue_item (kind, topic, data, expires, trace)
        select $1, i.topic, i.data, ${IN_MS('$3')}, $6::jsonb from jsonb_to_recordset($2::jsonb) i(topic text, data jsonb)
        where $4::int is null or (select count(*) from (select from queue_item where kind = $1 limit $4) waiting) < $4
        returning 1
      )
      select case when $5::boolean then pg_notify('${QUEUE_CHANNEL}', $1) end from queued`,
    values: [
      name,
      JSON.stringify(items),
      lifetimeMs ?? null,
      maxWaiting ?? null,
      isAnnounced,
      storedTrace(traceOf(db)),
    ],
  });
  if (rows.length > 0)
    noteIn(db, NOTED_ITEMS, () => items.map(({ topic, data }) => ({ kind: name, topic, summary: summary(data) })));
  return rows.length > 0;
}

/** Takes the next due item and leases it, so that no other process takes it; undefined without a due item. */
export async function takeItem(
  db: Queryable,
  { name, leaseMs, dropsExpired }: Pick<ItemKind, 'name' | 'leaseMs' | 'dropsExpired'>,
): Promise<QueueItem | undefined> {
  const next = `select id from queue_item where kind = $1 and due <= now() and (not $3::boolean or expires > now())
    order by due, id limit 1`;
  const [taken] = await db.query<QueueItem>({
    name: 'take-queue-item',
    text: `update queue_item set attempts = attempts + 1, due = ${IN_MS('$2')} where id = (${UNCLAIMED(next)})
      returning id, topic, data, attempts, trace`,
    values: [name, leaseMs, dropsExpired],
  });
  return taken;
}

/** Removes an item that is done or given up. */
export async function removeItem(db: Queryable, id: number): Promise<void> {
  await db.query({ name: 'remove-queue-item', text: 'delete from queue_item where id = $1', values: [id] });
}

/**
 * Postpones an item for another attempt after some milliseconds, and notes the reason of the failure. Removes the item and returns false when its
 * lifetime is over by then.
 */
export async function postponeItem(
  db: Queryable,
  id: number,
  { delayMs, error }: { delayMs: number; error: string },
): Promise<boolean> {
  const rows = await db.query({
    name: 'postpone-queue-item',
    text: `with next as (select ${IN_MS('$2')} as due),
      over as (delete from queue_item using next where id = $1 and expires <= next.due)
      update queue_item set due = next.due, error = $3 from next where id = $1 and (expires is null or expires > next.due) returning 1`,
    values: [id, delayMs, error],
  });
  return rows.length > 0;
}

/** Repeats an item after some milliseconds with other data, as if it were new. */
export async function repeatItem(
  db: Queryable,
  id: number,
  { delayMs, data }: { delayMs: number; data: unknown },
): Promise<void> {
  await db.query({
    name: 'repeat-queue-item',
    text: `update queue_item set data = $3::jsonb, attempts = 0, error = null, due = ${IN_MS('$2')} where id = $1`,
    values: [id, delayMs, JSON.stringify(data)],
  });
}

/** Removes some items of a kind whose lifetime is over. */
export async function removeExpired(db: Queryable, kind: string): Promise<void> {
  await db.query({
    name: 'remove-expired-queue-items',
    text: `delete from queue_item where id in (
      ${UNCLAIMED(`select id from queue_item where kind = $1 and expires <= now() limit ${PRUNE_BATCH}`)})`,
    values: [kind],
  });
}

/** Removes the items of a kind with some topics, or with all other topics. */
export async function removeTopics(
  db: Queryable,
  kind: string,
  { of, not }: { of: readonly string[]; not?: never } | { of?: never; not: readonly string[] },
): Promise<void> {
  await db.query({
    name: of ? 'remove-queue-topics' : 'remove-other-queue-topics',
    text: `delete from queue_item where kind = $1 and topic ${of ? '= any' : '<> all'}($2)`,
    values: [kind, of ?? not],
  });
}

/** Milliseconds until the next item of a kind is due; undefined when none waits. */
export const untilNextItem = (db: Queryable, kind: string): Promise<number | undefined> =>
  untilDue(db, { name: 'next-queue-item', from: 'queue_item where kind = $1', values: [kind] });

/**
 * Counts the items of a kind, at most `limit` of them. `late` counts the items that have failed so many times, and the items without an attempt for
 * so many seconds after they were due.
 */
export async function countWaiting(
  db: Queryable,
  kind: string,
  { attempts, seconds, limit }: { attempts: number; seconds: number; limit: number },
): Promise<{ waiting: number; late: number }> {
  const [row] = await db.query<{ waiting: number; late: number }>({
    name: 'count-queue-items',
    reads: true,
    text: `select count(*)::int as waiting,
        count(*) filter (where attempts >= $2 or due < clock_timestamp() - make_interval(secs => $3::float8))::int as late
      from (select attempts, due from queue_item where kind = $1 order by attempts desc limit $4) waiting`,
    values: [kind, attempts, seconds, limit],
  });
  return row ?? { waiting: 0, late: 0 };
}
