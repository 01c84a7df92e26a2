import { firstRow, hasRows, type Queryable, type Transaction } from '#core';
import type { JsonObject } from '#lib/json-object';

/** An export that a job makes. `blob`, `bytes` and `report` are null until it is made. */
export type MadeExport = {
  id: string;
  actor: string;
  path: string;
  encrypted: boolean;
  /** The sealed passphrase, until the job has ended. */
  passphrase: string | null;
  created: Date;
  expires: Date;
  job: string | null;
  blob: string | null;
  bytes: number | null;
  report: JsonObject | null;
};

/** Hours for which an export stays once it is made. */
const KEEP_HOURS = 72;

const COLUMNS = 'id, actor, path, encrypted, passphrase, created, expires, job, blob, bytes, report';

/** The time comes from the database because the clocks of processes differ. */
const EXPIRES = `clock_timestamp() + interval '${KEEP_HOURS} hours'`;

/** A condition: the job of an export waits or runs. */
const IS_BUSY = 'exists (select from job j where j.id = e.job and j.finished is null)';

/** Counts the exports, made or not. The transactions that count wait for each other until each ends. */
export async function countLocked(tx: Transaction): Promise<number> {
  await tx.query({ text: `select pg_advisory_xact_lock(hashtext('site_export'))` });
  const row = await firstRow<{ count: number }>(tx, {
    name: 'site-export-count',
    text: 'select count(*)::int as count from site_export',
  });
  return row?.count ?? 0;
}

/** Inserts an export that a job is to make. */
export async function insertMade(
  tx: Transaction,
  { id, actor, path, passphrase, job }: Pick<MadeExport, 'id' | 'actor' | 'path' | 'passphrase' | 'job'>,
): Promise<void> {
  await tx.query({
    name: 'site-export-insert',
    text: `insert into site_export (id, actor, path, encrypted, passphrase, job, expires)
      values ($1::uuid, $2, $3, $4::text is not null, $4::text, $5::uuid, ${EXPIRES})`,
    values: [id, actor, path, passphrase, job],
  });
}

/** The export of this id; `lockMode` locks it until the transaction ends. */
export const findMade = (db: Queryable, id: string, lockMode = false): Promise<MadeExport | undefined> =>
  firstRow<MadeExport>(db, {
    name: lockMode ? 'site-export-lock' : 'site-export-find',
    text: `select ${COLUMNS} from site_export where id = $1::uuid${lockMode ? ' for update' : ''}`,
    values: [id],
  });

/** A batch of the exports, the newest first. */
export const listMade = (
  db: Queryable,
  { start, size }: { start: number; size: number },
): Promise<(MadeExport & { total: number })[]> =>
  db.query({
    name: 'site-export-list',
    text: `select ${COLUMNS}, (count(*) over ())::int as total from site_export
      order by created desc, id limit $2::bigint offset $1::bigint`,
    values: [start, size],
  });

/** Says if the job of an export waits or runs. */
export const isBusy = (db: Queryable, id: string): Promise<boolean> =>
  hasRows(db, {
    name: 'site-export-busy',
    text: `select 1 from site_export e where e.id = $1::uuid and ${IS_BUSY}`,
    values: [id],
  });

/** Stores the file and the report of an export. Returns false when the export is gone. */
export const storeMade = (
  tx: Transaction,
  id: string,
  { blob, bytes, report }: { blob: string; bytes: number; report: JsonObject },
): Promise<boolean> =>
  hasRows(tx, {
    name: 'site-export-store',
    text: `update site_export set blob = $2, bytes = $3, report = $4::jsonb, passphrase = null, expires = ${EXPIRES}
      where id = $1::uuid returning 1`,
    values: [id, blob, bytes, JSON.stringify(report)],
  });

/** Removes an export. */
export async function deleteMade(tx: Transaction, id: string): Promise<void> {
  await tx.query({ name: 'site-export-delete', text: 'delete from site_export where id = $1::uuid', values: [id] });
}

/** Removes the passphrases of exports whose jobs have failed or were aborted. */
export async function forgetPassphrases(db: Queryable): Promise<void> {
  await db.query({
    name: 'site-export-forget-passphrases',
    text: `update site_export e set passphrase = null where e.passphrase is not null and not ${IS_BUSY}`,
  });
}

/** Removes the exports that have expired and are not being made. Returns their blobs, at most `limit`. */
export async function deleteExpired(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ blob: string | null }>({
    name: 'site-export-delete-expired',
    text: `delete from site_export where id in (
      select e.id from site_export e where e.expires <= clock_timestamp() and not ${IS_BUSY} order by e.expires limit $1 for update)
      returning blob`,
    values: [limit],
  });
  return rows.flatMap(({ blob }) => blob ?? []);
}
