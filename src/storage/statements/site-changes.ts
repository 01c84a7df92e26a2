import type { Queryable } from '../database.ts';

/** The database at one moment: `changed` says whether it is another site than at the snapshot that was given. */
export type SiteMoment = {
  /** The transactions that were over then, in the text form of pg_snapshot. */
  snapshot: string;
  changed: boolean;
  /** Milliseconds until time alone changes what is shown; null for never. Only told when `changed` or asked for. */
  lasts: number | null;
};

/** Something becomes effective, expires, or its lock runs out. The lock of what is checked out never does. */
const NEXT_TURN = `least(
    (select min(effective) from content where effective > now()),
    (select min(expires) from content where expires > now()),
    (select min(turn) from (select (lock->>'created')::timestamptz + make_interval(secs => (lock->>'timeout')::float8) as turn
      from content where lock is not null) locks where turn > now()))`;

/**
 * Compares the site with how it was at `since`, a snapshot, or null for never. A transaction that was under way then and
 * is over now counts, however long ago it began: it is not visible in the old snapshot. `turn` asks for `lasts` in any case.
 */
export async function siteMoment(db: Queryable, since: string | null, turn: boolean): Promise<SiteMoment> {
  const [moment] = await db.query<SiteMoment>({
    name: 'site-moment',
    // `offset 0`: the changes are looked up once, though two columns are made of them.
    text: `select pg_current_snapshot()::text as snapshot, changed,
        case when changed or $2 then (extract(epoch from ${NEXT_TURN} - now()) * 1000)::float8 end as lasts
      from (select $1::text is null or exists (select from site_change
          where xid >= pg_snapshot_xmin($1::text::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::text::pg_snapshot)) as changed
        offset 0) seen`,
    values: [since, turn],
  });
  if (!moment) throw new Error('A statement without a row');
  return moment;
}

/** Forgets the changes by transactions that were over before the snapshot, which every process has seen since. */
export async function forgetSiteChanges(db: Queryable, before: string): Promise<void> {
  await db.query({
    name: 'forget-site-changes',
    text: 'delete from site_change where xid < pg_snapshot_xmin($1::text::pg_snapshot)',
    values: [before],
  });
}
