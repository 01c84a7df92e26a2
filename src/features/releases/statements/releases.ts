import { firstRow, type Queryable } from '#core';
import type { SetupUndo } from '../setup-changes.ts';

/** How a release stands. */
export const STATES = ['draft', 'scheduled', 'failed', 'published', 'undone'] as const;
export type State = (typeof STATES)[number];

/** Why a release could not be published at its time. `part` is the number of the part; null for a reason that is no part's. */
export type Problem = { part: number | null; status: number; message: string };

/** The side that counts where the release and others have changed the same: the release is `mine`. */
export type Preferred = 'mine' | 'theirs';

/** A release without its parts. Users are their ids, null once they are gone. */
export type StoredRelease = {
  id: string;
  title: string;
  description: string;
  creator: string | null;
  created: Date;
  changed: Date;
  state: State;
  /** The number of the next part. */
  nextPart: number;
  at: Date | null;
  scheduledBy: string | null;
  prefer: Preferred | null;
  base: string | null;
  attempts: number;
  problem: Problem | null;
  published: Date | null;
  publishedBy: string | null;
  /** The numbers of the recorded transactions that it went live by. */
  transactions: number[];
  undone: Date | null;
  undoneBy: string | null;
};

const COLUMNS = `r.id, r.title, r.description, r.creator, r.created, r.changed, r.state, r.next_part as "nextPart", r.at, r.prefer,
  r.scheduled_by as "scheduledBy", r.base, r.attempts, r.problem, r.published, r.published_by as "publishedBy",
  r.transactions::float8[] as transactions, r.undone, r.undone_by as "undoneBy"`;

/** The releases in a state or in all, the newest first. */
export const listReleases = (
  db: Queryable,
  state: State | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<(StoredRelease & { total: number })[]> =>
  db.query({
    name: 'list-releases',
    text: `select ${COLUMNS}, (count(*) over ())::int as total from release r where ($1::text is null or r.state = $1)
      order by r.created desc, r.id limit $2 offset $3`,
    values: [state ?? null, limit, offset],
  });

/** Counts the releases in a state, or in all. */
export async function countReleases(db: Queryable, state: State | undefined): Promise<number> {
  const row = await firstRow<{ count: number }>(db, {
    text: 'select count(*)::int as count from release where $1::text is null or state = $1',
    values: [state ?? null],
  });
  return row?.count ?? 0;
}

/** A release; undefined without one of this id. `isLocked` locks it until the transaction ends. */
export const findRelease = (
  db: Queryable,
  id: string,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<StoredRelease | undefined> =>
  firstRow<StoredRelease>(db, {
    name: isLocked ? 'lock-release' : 'find-release',
    text: `select ${COLUMNS} from release r where r.id = $1 ${isLocked ? 'for update' : ''}`,
    values: [id],
  });

/** Has those who make releases wait for each other until the transaction ends, so that their number is certain. */
export async function lockMaking(tx: Queryable): Promise<void> {
  await tx.query({ text: `select pg_advisory_xact_lock(hashtext('release'))` });
}

/** Counts the releases that are not published. */
export async function countOpen(db: Queryable): Promise<number> {
  const row = await firstRow<{ count: number }>(db, {
    text: `select count(*)::int as count from release where state in ('draft', 'scheduled', 'failed')`,
  });
  return row?.count ?? 0;
}

/** Stores a new release, which is a draft. */
export async function insertRelease(
  tx: Queryable,
  {
    id,
    title,
    description,
    creator,
    now,
  }: Pick<StoredRelease, 'id' | 'title' | 'description' | 'creator'> & { now: Date },
): Promise<void> {
  await tx.query({
    text: 'insert into release (id, title, description, creator, created, changed) values ($1, $2, $3, $4, $5, $5)',
    values: [id, title, description, creator, now],
  });
}

/** Changes the words of a locked release, or only notes that its parts were changed. It is a draft then. */
export async function touchRelease(
  tx: Queryable,
  {
    id,
    title,
    description,
    nextPart,
    now,
  }: Pick<StoredRelease, 'id' | 'title' | 'description' | 'nextPart'> & { now: Date },
): Promise<void> {
  await tx.query({
    text: `update release set title = $2, description = $3, next_part = $4, changed = $5, state = 'draft', at = null, due = null,
      scheduled_by = null, prefer = null, base = null, attempts = 0, problem = null where id = $1`,
    values: [id, title, description, nextPart, now],
  });
}

/** Removes a locked release. */
export async function deleteRelease(tx: Queryable, id: string): Promise<void> {
  await tx.query({ text: 'delete from release where id = $1', values: [id] });
}

/** Notes that a locked release has gone live. */
export async function markPublished(
  tx: Queryable,
  id: string,
  {
    by,
    now,
    transactions,
    setup,
  }: { by: string | null; now: Date; transactions: readonly number[]; setup: readonly SetupUndo[] },
): Promise<void> {
  await tx.query({
    text: `update release set state = 'published', published = $3, published_by = $2, due = null, problem = null,
      transactions = $4::bigint[], setup = $5::jsonb where id = $1`,
    values: [id, by, now, transactions, JSON.stringify(setup)],
  });
}

/** How the set-up is undone that a release has changed, in the order of its parts. */
export async function loadSetup(tx: Queryable, id: string): Promise<SetupUndo[]> {
  const text = `select coalesce(setup, '[]') as setup from release where id = $1`;
  return (await firstRow<{ setup: SetupUndo[] }>(tx, { text, values: [id] }))?.setup ?? [];
}

/** Notes that a locked release was undone. */
export async function markUndone(
  tx: Queryable,
  id: string,
  { by, now }: { by: string | null; now: Date },
): Promise<void> {
  await tx.query({
    text: `update release set state = 'undone', undone = $3, undone_by = $2 where id = $1`,
    values: [id, by, now],
  });
}

/** Removes releases that were published or undone before a time, at most `limit`. Returns their number. */
export async function deleteOld(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query({
    text: `delete from release where id in (
        select id from release where state in ('published', 'undone') and greatest(published, undone) < $1
        order by published, id limit $2) returning 1`,
    values: [before, limit],
  });
  return rows.length;
}
