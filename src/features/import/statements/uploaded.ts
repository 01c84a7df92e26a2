import { firstRow, hasRows, type Queryable, type Transaction } from '#core';
import type { JsonObject } from '#lib/json-object';

/** Kinds of files that are imported. */
export const FILE_KINDS = ['zip', 'tar.gz', 'json', 'xml'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** An uploaded export. `blob` is null once its file is removed; `job` is its last job, and `report` that of the last job that came to its end. */
export type UploadedExport = {
  id: string;
  actor: string;
  filename: string;
  kind: FileKind;
  bytes: number;
  blob: string | null;
  created: Date;
  expires: Date;
  job: string | null;
  report: JsonObject | null;
};

const COLUMNS = 'id, actor, filename, kind, bytes, blob, created, expires, job, report';

/** All times come from the database because the clocks of processes differ. */
const IN_HOURS = (hours: string): string => `clock_timestamp() + ${hours}::int * interval '1 hour'`;

/** A condition: the last job of an import waits or runs. */
const IS_BUSY = 'exists (select from job j where j.id = i.job and j.finished is null)';

/** Counts the uploaded exports whose files are stored. */
export async function countStored(db: Queryable): Promise<number> {
  const row = await firstRow<{ stored: number }>(db, {
    name: 'site-import-count',
    text: 'select count(*)::int as stored from site_import where blob is not null',
  });
  return row?.stored ?? 0;
}

/** Makes the transactions that count uploaded exports wait for each other, until each ends. */
export async function lockStored(tx: Transaction): Promise<void> {
  await tx.query({ text: `select pg_advisory_xact_lock(hashtext('site_import'))` });
}

/** Inserts an uploaded export, whose file expires after some hours. */
export async function insertExport(
  tx: Transaction,
  {
    id,
    actor,
    filename,
    kind,
    bytes,
    blob,
  }: Pick<UploadedExport, 'id' | 'actor' | 'filename' | 'kind' | 'bytes' | 'blob'>,
  hours: number,
): Promise<UploadedExport> {
  const row = await firstRow<UploadedExport>(tx, {
    name: 'site-import-insert',
    text: `insert into site_import (id, actor, filename, kind, bytes, blob, expires)
      values ($1, $2, $3, $4, $5, $6, ${IN_HOURS('$7')}) returning ${COLUMNS}`,
    values: [id, actor, filename, kind, bytes, blob, hours],
  });
  if (!row) throw new Error('A row was not inserted');
  return row;
}

/** The uploaded export of this id; `lockMode` locks it until the transaction ends. */
export const findExportRow = (db: Queryable, id: string, lockMode = false): Promise<UploadedExport | undefined> =>
  firstRow<UploadedExport>(db, {
    name: lockMode ? 'site-import-lock' : 'site-import-find',
    text: `select ${COLUMNS} from site_import where id = $1::uuid${lockMode ? ' for update' : ''}`,
    values: [id],
  });

/** A batch of the uploaded exports, the newest first. */
export const listExports = (
  db: Queryable,
  { start, size }: { start: number; size: number },
): Promise<(UploadedExport & { total: number })[]> =>
  db.query({
    name: 'site-import-list',
    text: `select ${COLUMNS}, (count(*) over ())::int as total from site_import
      order by created desc, id limit $2::bigint offset $1::bigint`,
    values: [start, size],
  });

/** Says if the last job of an uploaded export waits or runs. */
export const isBusy = (db: Queryable, id: string): Promise<boolean> =>
  hasRows(db, {
    name: 'site-import-busy',
    text: `select 1 from site_import i where i.id = $1::uuid and ${IS_BUSY}`,
    values: [id],
  });

/** Notes the last job of an uploaded export, and gives its file some more hours. */
export async function noteJob(tx: Queryable, id: string, job: string, hours: number): Promise<void> {
  await tx.query({
    name: 'site-import-note-job',
    text: `update site_import set job = $2::uuid, expires = greatest(expires, ${IN_HOURS('$3')}) where id = $1::uuid`,
    values: [id, job, hours],
  });
}

/** Stores the report of a job that came to its end. */
export async function storeReport(tx: Transaction, id: string, report: JsonObject): Promise<void> {
  await tx.query({
    name: 'site-import-store-report',
    text: 'update site_import set report = $2::jsonb where id = $1::uuid',
    values: [id, JSON.stringify(report)],
  });
}

/** Notes that the file of an uploaded export is removed. */
export async function forgetFile(tx: Transaction, id: string): Promise<void> {
  await tx.query({
    name: 'site-import-forget-file',
    text: 'update site_import set blob = null where id = $1::uuid',
    values: [id],
  });
}

/** Removes an uploaded export with its report. */
export async function deleteExport(tx: Transaction, id: string): Promise<void> {
  await tx.query({ name: 'site-import-delete', text: 'delete from site_import where id = $1::uuid', values: [id] });
}

/** Removes reports from before a time whose files are gone, at most `limit` of them. */
export async function deleteOldReports(db: Queryable, before: Date, limit: number): Promise<void> {
  await db.query({
    name: 'site-import-delete-old',
    text: `delete from site_import where id in (
      select id from site_import where blob is null and created < $1 order by created limit $2)`,
    values: [before, limit],
  });
}

/** Ids of uploaded exports whose files have expired and are not needed by a job, at most `limit` of them. */
export async function expiredExports(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'site-import-expired',
    text: `select i.id from site_import i where i.blob is not null and i.expires <= clock_timestamp() and not ${IS_BUSY}
      order by i.expires limit $1`,
    values: [limit],
  });
  return rows.map(({ id }) => id);
}
