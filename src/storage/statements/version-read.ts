import type { Queryable } from '../database.ts';

/** A version: how it came to be, and its values where they are not those of the present object. */
export type VersionRow = {
  number: number;
  at: Date;
  actor: string;
  note: string;
  replaced: Record<string, unknown>;
};

const TEXT = `with versions as (
    select number, at, actor, note, replaced from version where content = $1 and number >= $2
    union all
    select 0, modified, owner, '', '{}' from content
    where oid = $1 and $2 = 0 and $3 and not exists (select 1 from version where content = $1)
  )
  select v.number, v.at, v.actor, v.note, coalesce((
    select jsonb_object_agg(key, value) from (
      select distinct on (d.key) d.key, d.value from versions n cross join lateral jsonb_each(n.replaced) d order by d.key, n.number
    ) oldest), '{}') as replaced
  from versions v where v.number = $2`;

/**
 * One version of an object, or undefined when there is no such version. Of each field the value of the version nearest
 * to it counts. With `versioned` an object without any version has the number 0: what it is now. One statement.
 */
export async function readVersion(
  db: Queryable,
  { content, number, versioned }: { content: number; number: number; versioned: boolean },
): Promise<VersionRow | undefined> {
  const [row] = await db.query<VersionRow>({ name: 'version-read', text: TEXT, values: [content, number, versioned] });
  return row;
}
