import type { Queryable } from '#core';

/**
 * The numbers of the newest versions of objects whose last change has made no version, such as a transition: the time of that change names no
 * state that is kept. `types` have versions.
 */
export async function unnamedStates(
  db: Queryable,
  { uids, types }: { uids: readonly string[]; types: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ uid: string; newest: number }>({
    text: `select c.uid, coalesce((select max(v.number) from version v where v.content = c.oid), 0)::int as newest from content c
      where c.uid = any($1) and c.type = any($2) and c.fields->'versioning_enabled' is distinct from 'false' and not exists (
        select from version v where v.content = c.oid and v.at >= c.modified and v.at < c.modified + interval '1 millisecond')`,
    values: [uids, types],
  });
  return new Map(rows.map(({ uid, newest }) => [uid, String(newest)]));
}
