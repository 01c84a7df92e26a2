import type { Database } from '../../../src/database/database.ts';

/** Tables that the feed of changes writes to by itself, after the commit of a request. */
const OF_THE_FEED = ['announced_content', 'content_event', 'content_feed'];
/** Tables that rejected requests and background work write to as well. The key of cursors is made by the first reader of changes. */
const NOT_NOTED = [
  ...['account_login', 'audit_entry', 'kept_response', 'login_failure', 'visitor_request', 'site_change', 'secret_key'],
  ...OF_THE_FEED,
];
/** A table of which only new rows count, because the work that waits there is not a part of the request. */
const QUEUE = 'queue_item';

/**
 * Makes the database record every committed change of a row in any table. Returns a function that returns the
 * tables of these rows since its last call.
 */
export async function noteWrites(db: Database): Promise<() => Promise<string[]>> {
  const tables = await db.query<{ name: string }>({
    text: 'select tablename as name from pg_tables where schemaname = current_schema() and tablename <> all($1)',
    values: [NOT_NOTED],
  });
  const triggers = tables.flatMap(({ name }) => [
    `create trigger note_rows after insert ${name === QUEUE ? '' : 'or delete'} on ${name} for each row execute function note_row()`,
    ...(name === QUEUE
      ? []
      : [
          `create trigger note_changes after update on ${name} for each row when (to_jsonb(old.*) is distinct from to_jsonb(new.*)) execute function note_row()`,
        ]),
  ]);
  await db.script(
    [
      'create table noted_row (name text not null)',
      `create function note_row() returns trigger language plpgsql as
        'begin insert into noted_row values (tg_table_name); return null; end'`,
      ...triggers,
    ].join(';'),
  );
  return async () => {
    const rows = await db.query<{ name: string }>({
      text: 'with told as (delete from noted_row returning name) select distinct name from told order by name',
    });
    return rows.map(({ name }) => name);
  };
}
