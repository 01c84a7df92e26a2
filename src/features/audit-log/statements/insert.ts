import type { audit, Queryable } from '#core';

/** Entries as the JSON that `INSERT_ENTRIES` takes. */
export const entriesJson = (entries: readonly audit.Entry[]): string =>
  JSON.stringify(
    entries.map(({ action, content, path, name = '', data }) => ({ action, content, path: path ?? null, name, data })),
  );

/**
 * Inserts entries, for a statement of its own or as a part of another one (`with … as`). `entries`, `actor` and `address` are the parameters with
 * their JSON, the user and the client address. Paths are looked up one by one: the planner expects a hundred entries, and would scan all content for
 * so many.
 */
export const INSERT_ENTRIES = ({ actor, address, entries }: { actor: string; address: string; entries: string }) =>
  `insert into audit_entry (actor, client_address, action, content, path, name, data)
    select ${actor}::text, ${address}::text, e.value->>'action', (e.value->>'content')::bigint, coalesce(e.value->>'path',
        (select path from content where oid = (e.value->>'content')::bigint), ''), e.value->>'name', e.value->'data'
    from jsonb_array_elements(${entries}::jsonb) with ordinality e(value, number)
    order by e.number`;

/** The user and the address of an action; undefined for the server itself. */
export type AuditOrigin = { actor: string; clientAddress: string | undefined };

/** Adds entries for actions outside of transactions of content. */
export async function insertEntries(
  db: Queryable,
  { actor, clientAddress }: AuditOrigin,
  entries: readonly audit.Entry[],
): Promise<void> {
  await db.query({
    name: 'audit-insert',
    deferred: true,
    text: INSERT_ENTRIES({ actor: '$1', address: '$2', entries: '$3' }),
    values: [actor, clientAddress ?? null, entriesJson(entries)],
  });
}

/**
 * Counts a failed login: one row for each account, network and hour, and one for all unknown names, so that an attack cannot fill the disk. Only
 * names of accounts are stored, because people type passwords as names.
 */
export async function countFailedLogin(
  db: Queryable,
  { login, network, factor }: { login: string; network: string; factor: string },
): Promise<void> {
  await db.query({
    name: 'audit-failed-login',
    text: `insert into audit_entry as e (actor, client_address, action, content, path, name, data, counted_by)
      select '', $2::text, 'login.failed', null, '/', tried.id, jsonb_build_object('factor', $3::text),
        concat_ws(' ', to_char(date_trunc('hour', now()), 'YYYYMMDDHH24'), $2::text, $3::text, tried.id)
      from (select coalesce((select id from account where login = $1), '') as id) tried
      on conflict (counted_by) do update set count = e.count + 1, last_at = now()`,
    values: [login.replaceAll('\0', ''), network, factor],
  });
}
