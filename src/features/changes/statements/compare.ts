import { contentSql, type Queryable, type Transaction } from '#core';
import { ANNOUNCE } from './announce.ts';

/** Numbers of objects that one step compares. */
const WINDOW = 5000;
/** Minutes before the last check for which dates are checked again: a transaction may have begun so long before its commit. */
const OVERLAP_MINUTES = 5;
/** Objects that one step announces because of their dates. */
const MAX_DATED = 500;

/** Announces objects, and locks their announced state in the order of their numbers. */
async function announceObjects(tx: Transaction, oids: readonly number[], isDated: boolean): Promise<void> {
  if (oids.length === 0) return;
  const sorted = [...oids].sort((one, other) => one - other);
  await tx.query({
    name: 'changes-hold-announced',
    text: 'select 1 from announced_content where oid = any($1::bigint[]) order by oid for update',
    values: [sorted],
  });
  await tx.query({
    name: 'changes-announce-found',
    text: `select from ${ANNOUNCE({ notes: '$1', dated: '$2' })}`,
    values: [JSON.stringify(sorted.map((content) => ({ content }))), isDated],
  });
}

/** Says if all content is to be compared with what was announced. */
export async function isComparing(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ compares: boolean }>({
    name: 'changes-is-comparing',
    text: 'select compared is not null as compares from content_feed',
    reads: true,
  });
  return row?.compares ?? false;
}

/**
 * Compares the next objects with their announced state, and announces objects that differ: the configuration of the site has changed their viewers,
 * or they were written without an event. Returns true when there may be more. One process does it at a time.
 */
export async function compareNext(tx: Transaction, isDated: boolean): Promise<boolean> {
  const [feed] = await tx.query<{ compared: number; last: number }>({
    name: 'changes-compare-from',
    text: `select compared, greatest((select max(oid) from content), (select max(oid) from announced_content), 0) as last
      from content_feed where compared is not null for update`,
  });
  if (!feed) return false;
  const until = feed.compared + WINDOW;
  const found = await tx.query<{ oid: number }>({
    name: 'changes-compare',
    text: `select coalesce(n.oid, a.oid) as oid from
        (select * from announceable($3) n where n.oid > $1 and n.oid <= $2) n
        full join (select * from announced_content a where a.oid > $1 and a.oid <= $2) a on a.oid = n.oid
      where a.path is distinct from n.path or a.viewers is distinct from n.viewers`,
    values: [feed.compared, until, isDated],
  });
  await announceObjects(
    tx,
    found.map(({ oid }) => oid),
    isDated,
  );
  const isOver = until >= feed.last;
  await tx.query({
    name: 'changes-compared',
    text: 'update content_feed set compared = $1',
    values: [isOver ? null : until],
  });
  return !isOver;
}

/** Announces content whose dates of publication have come since the last check. Returns true when there may be more. */
export async function announceDated(tx: Transaction): Promise<boolean> {
  const [feed] = await tx.query<{ since: Date }>({
    name: 'changes-dated-since',
    text: `select dated - interval '${OVERLAP_MINUTES} minutes' as since from content_feed for update`,
  });
  if (!feed) throw new Error('The feed of changes has no state');
  const found = await tx.query<{ oid: number }>({
    name: 'changes-dated',
    text: `select n.oid from (
        select oid from content where effective > $1 and effective <= now()
        union select oid from content where expires > $1 and expires <= now()
      ) due join announceable(true) n on n.oid = due.oid left join announced_content a on a.oid = n.oid
      where a.viewers is distinct from n.viewers limit ${MAX_DATED}`,
    values: [feed.since],
  });
  await announceObjects(
    tx,
    found.map(({ oid }) => oid),
    true,
  );
  const isOver = found.length < MAX_DATED;
  if (isOver) await tx.query({ name: 'changes-dated-until', text: 'update content_feed set dated = now()' });
  return !isOver;
}

/** An object of the full list. */
export type ListedRow = {
  oid: number;
  uid: string;
  type: string;
  language: string | null;
  parent: number | null;
  path: string;
  viewers: string[];
};

/** The next objects after a number that readers with these tokens see now. */
export async function listSeen(
  db: Queryable,
  { after, limit, isDated }: { after: number; limit: number; isDated: boolean },
  {
    principals,
    path,
    types,
    languages,
  }: {
    principals: readonly string[];
    path?: string | undefined;
    types?: readonly string[] | undefined;
    languages?: readonly string[] | undefined;
  },
): Promise<ListedRow[]> {
  const values: unknown[] = [after, limit, isDated, principals];
  const conditions = ['n.oid > $1', 'n.viewers && $4::text[]'];
  if (path !== undefined && path !== '/')
    conditions.push(contentSql.AT_OR_BELOW('n.path', `$${values.push(path)}::text collate "C"`));
  if (types) conditions.push(`n.type = any($${values.push(types)}::text[])`);
  if (languages) conditions.push(`n.language = any($${values.push(languages)}::text[])`);
  return db.query<ListedRow>({
    text: `select n.oid, n.uid, n.type, n.language, n.parent, n.path, n.viewers from announceable($3) n
      where ${conditions.join(' and ')} order by n.oid limit $2`,
    values,
    reads: true,
  });
}
