import type { HistoryEntry, NewContent, Queryable } from '#core';

/** A new object whose number is known before it is written, so that its children can name it in the same statement. */
export type NumberedContent = NewContent & { oid: number; position: number };

/** Numbers for `count` new objects, in ascending order. */
export async function reserveOids(db: Queryable, count: number): Promise<number[]> {
  const rows = await db.query<{ oid: number }>({
    name: 'reserve-oids',
    text: `select nextval(pg_get_serial_sequence('content', 'oid')) as oid from generate_series(1, $1::int)`,
    values: [count],
  });
  return rows.map(({ oid }) => oid).sort((a, b) => a - b);
}

const INSERT = `insert into content (oid, uid, parent, name, path, position, type, review_state, owner, language, layout, created, modified,
    effective, expires, local_roles, inherit_roles, local_permissions, constrains, default_page, translation_group, fields)
  overriding system value
  select oid, uid, parent, name, path, position, type, "reviewState", owner, language, layout, created, modified,
    effective, expires, "localRoles", "inheritRoles", "localPermissions", constrains, "defaultPage",
    case when row_number() over (partition by "translationGroup", language order by oid) = 1
      and not exists (select 1 from content t where t.translation_group = n."translationGroup" and t.language = n.language)
      then "translationGroup" end, fields
  from jsonb_to_recordset($1::jsonb) n(oid bigint, uid text, parent bigint, name text, path text, position float8, type text,
    "reviewState" text, owner text, language text, layout text, created timestamptz, modified timestamptz, effective timestamptz,
    expires timestamptz, "localRoles" jsonb, "inheritRoles" boolean, "localPermissions" jsonb, constrains jsonb,
    "defaultPage" text, "translationGroup" text, fields jsonb)
  on conflict do nothing
  returning oid`;

/**
 * Inserts objects, containers before what is in them. Returns the numbers of those whose path and UID were free. What would be
 * the second one of its language in a group of translations stays out of the group.
 */
export async function insertContents(db: Queryable, rows: readonly NumberedContent[]): Promise<Set<number>> {
  const inserted = await db.query<{ oid: number }>({
    name: 'insert-contents',
    text: INSERT,
    values: [JSON.stringify(rows)],
  });
  return new Set(inserted.map(({ oid }) => oid));
}

/** Adds entries to the workflow histories of objects, in the order given. */
export async function insertHistories(
  db: Queryable,
  entries: readonly (HistoryEntry & { content: number })[],
): Promise<void> {
  if (entries.length === 0) return;
  await db.query({
    name: 'insert-histories',
    text: `insert into workflow_history (content, workflow, action, actor, comments, review_state, at)
      select content, workflow, action, actor, comments, state, at
      from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
        with ordinality n(content, workflow, action, actor, comments, state, at, number)
      order by number`,
    values: [
      entries.map(({ content }) => content),
      entries.map(({ workflow }) => workflow),
      entries.map(({ action }) => action),
      entries.map(({ actor }) => actor),
      entries.map(({ comments }) => comments),
      entries.map(({ reviewState }) => reviewState),
      entries.map(({ at }) => at),
    ],
  });
}

/** A version of an object: `replaced` are the values that the next version replaced, and `fields` what it changed itself. */
export type VersionRow = {
  number: number;
  at: Date;
  actor: string;
  note: string;
  fields: string[];
  replaced: Record<string, unknown>;
};

/** Adds versions of new objects. */
export async function insertVersions(
  db: Queryable,
  rows: readonly (VersionRow & { content: number })[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.query({
    name: 'insert-versions',
    text: `insert into version (content, number, at, actor, note, fields, replaced)
      select content, number, at, actor, note, array(select jsonb_array_elements_text(fields)), replaced
      from jsonb_to_recordset($1::jsonb) n(content bigint, number int, at timestamptz, actor text, note text, fields jsonb, replaced jsonb)
      on conflict do nothing`,
    values: [JSON.stringify(rows)],
  });
}

/** New objects take their addresses: old ones of the same paths end. */
export async function forgetRedirects(db: Queryable, paths: string[]): Promise<void> {
  await db.query({ name: 'forget-redirects', text: 'delete from redirect where path = any($1)', values: [paths] });
}
