import { claims, firstRow, type Queryable } from '#core';
import type { Preferred, Problem } from './releases.ts';

/** Releases that wait for their time. Each goes live in the transaction that takes it. */
export const RELEASES = {
  name: 'release',
  concurrency: 1,
  pollMs: 30_000,
  minWaitMs: 50,
  backoff: [10_000, 60_000, 600_000],
  maxAttempts: 4,
} satisfies claims.Kind;

/** Has a locked release go live at a time, in the name of a user. */
export async function scheduleRelease(
  tx: Queryable,
  id: string,
  { at, by, prefer, base }: { at: Date; by: string | null; prefer: Preferred | null; base: string },
): Promise<void> {
  await tx.query({
    text: `with planned as (
        update release set state = 'scheduled', at = $2, due = $2, scheduled_by = $3, prefer = $4, base = $5, attempts = 0, problem = null
        where id = $1 returning 1)
      select ${claims.WAKE(RELEASES.name)} from planned`,
    values: [id, at, by, prefer, base],
  });
}

/** Locks one that is due and that no other process has locked. Returns its id; undefined for none. All times are those of the database. */
export async function lockDue(tx: Queryable): Promise<string | undefined> {
  const row = await firstRow<{ id: string }>(tx, {
    name: 'lock-due-release',
    text: claims.UNCLAIMED(
      `select id from release where state = 'scheduled' and due <= now() order by due, id limit 1`,
    ),
  });
  return row?.id;
}

/** Milliseconds until the next release is due; undefined when none waits. */
export const untilNextRelease = (db: Queryable): Promise<number | undefined> =>
  claims.untilDue(db, { name: 'next-due-release', from: `release where state = 'scheduled'` });

/** Ends a schedule that failed after so many attempts. Returns false if the release was changed, or tried by another process, meanwhile. */
export async function failScheduled(
  tx: Queryable,
  { id, attempts, problem }: { id: string; attempts: number; problem: Problem },
): Promise<boolean> {
  const rows = await tx.query({
    text: `update release set state = 'failed', due = null, problem = $3::jsonb, attempts = attempts + 1
      where id = $1 and state = 'scheduled' and attempts = $2 and due <= now() returning 1`,
    values: [id, attempts, JSON.stringify(problem)],
  });
  return rows.length > 0;
}

/** Has a release tried again after some milliseconds, unless it was changed meanwhile. */
export async function postponeRelease(
  tx: Queryable,
  { id, attempts, delayMs }: { id: string; attempts: number; delayMs: number },
): Promise<void> {
  await tx.query({
    text: `update release set attempts = attempts + 1, due = ${claims.IN_MS('$3')}
      where id = $1 and state = 'scheduled' and attempts = $2 and due <= now()`,
    values: [id, attempts, delayMs],
  });
}
