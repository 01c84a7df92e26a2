import { claims, contentSql, type Queryable, type Transaction } from '#core';
import type { JsonObject } from '#lib/json-object';

/** The kind of work whose notifications say that the feed has grown. */
export const FEED = 'changes';
/** Events that one transaction gives places. */
const PLACED_AT_ONCE = 1000;

/** A row of the feed. `position` is its place, `id` its name; members are null for an object that did not exist before, or does not exist after. */
export type EventRow = {
  position: number;
  id: string;
  at: Date;
  event: string;
  oid: number;
  uid: string;
  type: string;
  languageBefore: string | null;
  language: string | null;
  parentBefore: number | null;
  parent: number | null;
  pathBefore: string | null;
  path: string | null;
  viewersBefore: string[] | null;
  viewers: string[] | null;
  data: JsonObject;
};

/** A place in the feed, with the name of the event there. */
export type Place = { position: number; id: string };

/** Says if events of committed transactions have no place yet. */
export async function hasUnplaced(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ some: boolean }>({
    name: 'changes-unplaced',
    text: 'select exists (select from content_event where position is null) as some',
    reads: true,
  });
  return row?.some ?? false;
}

/**
 * Gives places to the events that have none, and notifies all processes. Returns true when there may be more. One transaction does it at a time, so
 * that places become visible in their order: a reader at a place has all events before it. When an event without a place is visible, all earlier
 * events of its object are visible, too, because their transactions locked the object before.
 */
export async function placeEvents(tx: Transaction): Promise<boolean> {
  await tx.query({ name: 'changes-lock-feed', text: 'select from content_feed for update' });
  const rows = await tx.query({
    name: 'changes-place',
    text: `with next as materialized (
        select e.number, f.position + row_number() over (order by e.number) as position
        from (select number from content_event where position is null order by number limit ${PLACED_AT_ONCE}) e, content_feed f
      ), placed as (
        update content_event e set position = next.position from next where e.number = next.number
      ), moved as (
        update content_feed set position = (select max(position) from next) where exists (select from next)
      )
      select next.position, case next.position when (select max(position) from next) then ${claims.WAKE(FEED)} end from next`,
  });
  return rows.length === PLACED_AT_ONCE;
}

/** The last place of the feed. */
export async function findHead(db: Queryable): Promise<Place> {
  const [head] = await db.query<Place>({
    name: 'changes-head',
    text: 'select f.position, e.id from content_feed f join content_event e on e.position = f.position',
    reads: true,
  });
  if (!head) throw new Error('The feed of changes has no last event');
  return head;
}

/** Says if a place is still in the feed: it was not pruned, and the feed was not restored to an earlier state. */
export async function hasPlace(db: Queryable, { position, id }: Place): Promise<boolean> {
  const rows = await db.query({
    name: 'changes-has-place',
    text: 'select 1 from content_event where position = $1 and id = $2::uuid',
    values: [position, id],
    reads: true,
  });
  return rows.length > 0;
}

const COLUMNS = `position, id, at, event, oid, uid, type, language_before as "languageBefore", language, parent_before as "parentBefore", parent, path_before as "pathBefore",
  path, viewers_before as "viewersBefore", viewers, data`;

/** Narrows a feed. `principals` are all tokens that a reader has anywhere; `path` selects events of content that was or is at or below it. */
export type FeedFilter = {
  principals?: readonly string[] | undefined;
  path?: string | undefined;
  types?: readonly string[] | undefined;
  languages?: readonly string[] | undefined;
};

/** The events behind `after` up to `until`, in their order. */
export async function eventsBetween(
  db: Queryable,
  { after, until, limit }: { after: number; until: number; limit: number },
  { principals, path, types, languages }: FeedFilter = {},
): Promise<EventRow[]> {
  const values: unknown[] = [after, until, limit];
  const conditions = ['position > $1', 'position <= $2'];
  if (principals) {
    const tokens = `$${values.push(principals)}::text[]`;
    conditions.push(`(viewers_before && ${tokens} or viewers && ${tokens})`);
  }
  if (path !== undefined && path !== '/') {
    const at = `$${values.push(path)}::text collate "C"`;
    conditions.push(`(${contentSql.AT_OR_BELOW('path', at)} or ${contentSql.AT_OR_BELOW('path_before', at)})`);
  }
  if (types) conditions.push(`type = any($${values.push(types)}::text[])`);
  if (languages) {
    const some = `any($${values.push(languages)}::text[])`;
    conditions.push(`(language = ${some} or language_before = ${some})`);
  }
  return db.query<EventRow>({
    text: `select ${COLUMNS} from content_event where ${conditions.join(' and ')} order by position limit $3`,
    values,
    reads: true,
  });
}

/**
 * Removes up to `limit` of the first events, before the first event that is not older than `before`. The last event stays, so that cursors stay valid
 * on a site without changes. Returns the number of removed events.
 */
export async function pruneEvents(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: 'changes-prune',
    text: `with old as materialized (
        select number, position, at from content_event where position is not null order by position limit $2
      )
      delete from content_event where number in (${claims.UNCLAIMED(
        `select number from content_event where position < coalesce(
          (select min(position) from old where at >= $1), (select max(position) from old))`,
      )}) returning 1`,
    values: [before, limit],
  });
  return rows.length;
}

/** The last place before a position that is still in the feed; undefined when all were pruned. */
export async function placeBefore(db: Queryable, position: number): Promise<Place | undefined> {
  const [place] = await db.query<Place>({
    text: 'select position, id from content_event where position < $1 order by position desc limit 1',
    values: [position],
  });
  return place;
}

/** The first place that is still in the feed. */
export async function firstPlace(db: Queryable): Promise<Place> {
  const [place] = await db.query<Place>({
    text: 'select position, id from content_event where position is not null order by position limit 1',
  });
  if (!place) throw new Error('The feed of changes has no event');
  return place;
}

/** The last place before the first event since a moment; undefined when the feed does not reach so far back. */
export async function placeAt(db: Queryable, moment: Date): Promise<Place | undefined> {
  const [place] = await db.query<Place>({
    text: `select b.position, b.id from content_event b
      where b.position < coalesce(
        (select min(position) from content_event where at >= $1 and position is not null),
        (select max(position) + 1 from content_event))
      order by b.position desc limit 1`,
    values: [moment],
  });
  return place;
}
