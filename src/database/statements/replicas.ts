import type { Queryable } from '../database.ts';

/** The changes of transactions that were not over at the snapshot `$1`, regardless of their start, and are over now. */
export const SINCE = `from site_change
  where xid >= pg_snapshot_xmin($1::text::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::text::pg_snapshot)`;

/**
 * True if there is any such change. The order keeps the index in the plan: without it the database expects to find a change soon, and reads all that
 * are stored to find none, 15 ms after the import of a site.
 */
export const ANY_SINCE = `coalesce((select true ${SINCE} order by xid desc limit 1), false)`;

/** The state that a replica reports. */
export type ReplicaPlace = {
  /** Identifies the server and its start. */
  self: string;
  /** True while it is a replica: after a promotion it is a primary. */
  standby: boolean;
  /** The place up to which it has replayed the log of writes of its primary, in bytes. */
  position: number;
  /** The primary that wrote its data, see `markPrimary`. */
  primary: string | null;
  /** True if it has changes by transactions that were not over at the snapshot. */
  changed: boolean;
};

/** Asks a replica for its place, and if it has changes since a snapshot of its primary; null for no snapshot. */
export async function loadReplicaPlace(replica: Queryable, since: string | null): Promise<ReplicaPlace> {
  const [place] = await replica.query<ReplicaPlace>({
    name: 'replica-place',
    text: `select pg_postmaster_start_time()::text as self, pg_is_in_recovery() as standby, coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint as position,
      (select value from site_state where name = 'primary') as primary, ${ANY_SINCE} as changed`,
    values: [since],
  });
  if (!place) throw new Error('A statement without a row');
  return place;
}

/**
 * Writes a note on the primary that identifies the server. Replicas get it by the log of writes, so a replica that follows another server, or has
 * writes that this server lacks, does not have the note.
 */
export async function markPrimary(db: Queryable, server: string): Promise<void> {
  const [noted] = await db.query<{ value: string }>({
    text: `select value from site_state where name = 'primary'`,
    reads: true,
  });
  // Even a statement that changes no row would count as a change of the site.
  if (noted?.value === server) return;
  await db.query({
    name: 'mark-primary',
    text: `insert into site_state values ('primary', $1)
      on conflict (name) do update set value = excluded.value`,
    values: [server],
  });
}
