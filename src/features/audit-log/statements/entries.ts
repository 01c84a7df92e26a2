import { claims, contentSql, type Queryable } from '#core';
import type { JsonObject } from '#lib/json-object';

/** An entry as it is stored. */
export type StoredEntry = {
  id: number;
  at: Date;
  /** The time of the last action, in an entry for several actions. */
  lastAt: Date | null;
  count: number;
  actor: string;
  clientAddress: string | null;
  action: string;
  path: string;
  name: string;
  data: JsonObject;
};

/** A filter of entries; an undefined member does not limit them. */
export type EntryFilter = {
  user?: string | undefined;
  /** An action, or the part before its point for all actions of that kind. */
  action?: string | undefined;
  name?: string | undefined;
  /** A path: selects the entries of the content there and of content that was below. */
  path?: string | undefined;
  address?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** An object: selects its entries, wherever it was then, and with `deep` also the entries of its path and below. */
  of?: { oid: number; path: string; deep: boolean } | undefined;
};

/** At most `size` entries before the entry with the id `before`, the newest first. */
export async function entriesBefore(
  db: Queryable,
  filter: EntryFilter,
  { before, size }: { before: number; size: number },
): Promise<StoredEntry[]> {
  const values: unknown[] = [before, size];
  const conditions = ['id < $1'];
  const add = (value: unknown, condition: (parameter: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  const { user, action, name, path, address, since, until, of } = filter;
  add(user, (at) => `actor = ${at}`);
  add(action, (at) =>
    action?.includes('.')
      ? `action = ${at}::text collate "C"`
      : `action > ${at}::text || '.' collate "C" and action < ${at}::text || '/' collate "C"`,
  );
  add(name, (at) => `name = ${at}`);
  add(path, (at) => contentSql.AT_OR_BELOW('path', `${at}::text collate "C"`));
  add(address, (at) => `client_address = ${at}`);
  add(since, (at) => `at >= ${at}`);
  add(until, (at) => `at < ${at}`);
  if (of?.deep && of.path !== '/') {
    values.push(of.oid);
    const oid = `$${values.length}::bigint`;
    add(of.path, (at) => `(content = ${oid} or ${contentSql.AT_OR_BELOW('path', `${at}::text collate "C"`)})`);
  } else if (of && !of.deep) add(of.oid, (at) => `content = ${at}::bigint`);
  return db.query<StoredEntry>({
    text: `select id, at, last_at as "lastAt", count, actor, client_address as "clientAddress", action, path, name, data
      from audit_entry where ${conditions.join(' and ')} order by id desc limit $2`,
    values,
  });
}

/** Removes up to `limit` entries that are older than `before`. Returns their number. */
export async function pruneEntries(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: 'audit-prune',
    text: `delete from audit_entry where id in
        (${claims.UNCLAIMED('select id from audit_entry where at < $1 order by at limit $2')}) returning id`,
    values: [before, limit],
  });
  return rows.length;
}
