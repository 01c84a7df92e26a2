import type { ChangedTags } from '../../../database/cache-tags.ts';
import type { Queryable } from '../../../database/database.ts';
import { ANY_SINCE, SINCE } from '../../../database/statements/replicas.ts';

/** Maximum number of changes, and of objects in them, that are listed one by one; with more, everything counts as changed. */
const MAX_CHANGES = 200;
const MAX_CHANGED_OBJECTS = 1000;

/** The next time when content becomes effective or expires, or its lock expires. The lock of checked-out content never expires. */
const NEXT_TURN = `least(
    (select min(effective) from content where effective > now()),
    (select min(expires) from content where expires > now()),
    (select min(turn) from (select (lock->>'created')::timestamptz + make_interval(secs => (lock->>'timeout')::float8) as turn
      from content where lock is not null) locks where turn > now()))`;

/** The server and its last start: another server, or a restored one, may give the numbers of lost transactions to new transactions. */
const SERVER = 'pg_postmaster_start_time()::text as server';

/** The result of a poll. */
export type Poll = {
  /** The transactions that are over now, in the text form of pg_snapshot. */
  snapshot: string;
  /** Identifies the server and its start. */
  server: string;
  /** True when any transaction has changed the site since an earlier snapshot of the same server. */
  changed: boolean;
};

/** Asks whether anything has changed since a snapshot. */
export async function poll(db: Queryable, since: string): Promise<Poll> {
  const [row] = await db.query<Poll>({
    name: 'site-poll',
    reads: true,
    text: `select pg_current_snapshot()::text as snapshot, ${SERVER}, ${ANY_SINCE} as changed`,
    values: [since],
  });
  if (!row) throw new Error('A statement without a row');
  return row;
}

/** A snapshot of the site, with the changes since an earlier one. */
export type SiteChanges = {
  /** The transactions that were over at the snapshot, in the text form of pg_snapshot. */
  snapshot: string;
  /** Identifies the server and its start. */
  server: string;
  /** A place in the log of writes of the server, in bytes, behind all writes of these transactions. */
  position: number;
  /** The changes since the earlier snapshot; undefined for none. */
  change: ChangedTags | undefined;
  /** Milliseconds until time alone changes a response; null for never. */
  lasts: number | null;
};

/** Loads the changes since a snapshot; null counts everything as changed. */
export async function load(db: Queryable, since: string | null): Promise<SiteChanges> {
  const [row] = await db.query<{
    snapshot: string;
    server: string;
    position: number;
    changes: number;
    anything: boolean;
    objects: number[];
    containers: number[];
    lasts: number | null;
  }>({
    name: 'site-changes',
    reads: true,
    text: `with changes as materialized (select objects, containers ${SINCE} order by xid limit ${MAX_CHANGES + 1})
      select pg_current_snapshot()::text as snapshot, ${SERVER}, (select count(*)::int from changes) as changes,
        (pg_current_wal_insert_lsn() - '0/0')::bigint as position,
        exists (select from changes where objects is null) as anything,
        array(select distinct unnest(objects) from changes) as objects,
        array(select distinct unnest(containers) from changes) as containers,
        (extract(epoch from ${NEXT_TURN} - now()) * 1000)::float8 as lasts`,
    values: [since],
  });
  if (!row) throw new Error('A statement without a row');
  const { snapshot, server, position, changes, objects, containers, lasts } = row;
  const found = { snapshot, server, position, lasts };
  const isMuch = changes > MAX_CHANGES || objects.length > MAX_CHANGED_OBJECTS;
  if (since === null || row.anything || isMuch) return { ...found, change: 'anything' };
  if (changes === 0) return { ...found, change: undefined };
  return {
    ...found,
    change: { objects: new Set(objects.map(Number)), containers: new Set(containers.map(Number)) },
  };
}

/** Removes the changes by transactions that were over before the snapshot, because every process has seen them. */
export async function forget(db: Queryable, before: string): Promise<void> {
  await db.query({
    name: 'forget-site-changes',
    text: 'delete from site_change where xid < pg_snapshot_xmin($1::text::pg_snapshot)',
    values: [before],
  });
}
