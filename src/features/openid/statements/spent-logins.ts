import type { Database } from '#core';

/**
 * Uses up the state of a login, on all processes; returns false when it was used before. Removes states that are older than `before`, which are no
 * longer valid.
 */
export async function spendLogin(
  db: Database,
  { state, now, before }: { state: string; now: Date; before: Date },
): Promise<boolean> {
  const rows = await db.query<{ state: string }>({
    text: `with old as (delete from spent_login where spent < $3)
      insert into spent_login (state, spent) values ($1, $2) on conflict (state) do nothing returning state`,
    values: [state, now, before],
    reads: false,
  });
  return rows.length > 0;
}
