import { type Database, firstRow, hasRows, type Queryable, type Transaction, type uploadArea } from '#core';

/** The purpose of an upload: new content, or another file for existing content. */
export type UploadMode = 'create' | 'replace';

/** An upload. `received` is its offset; `result` is the UID of the content once it is written. */
export type Upload = {
  id: string;
  owner: string;
  content: number;
  mode: UploadMode;
  length: number;
  received: number;
  metadata: string;
  handle: string;
  blob: string | null;
  result: string | null;
  expires: Date;
};

const COLUMNS = 'id, owner, content, mode, length, received, metadata, handle, blob, result, expires';
/** All times come from the database because the clocks of processes differ. */
const EXPIRY = (hours: string): string => `clock_timestamp() + ${hours}::int * interval '1 hour'`;

/** The number of open uploads of a user, and their total size in bytes. */
export type OpenUploads = { count: number; bytes: number };

/** Counts the open uploads of a user, and locks the count until the transaction ends. */
export async function lockOpenUploads(tx: Transaction, owner: string): Promise<OpenUploads> {
  await tx.query({ text: `select pg_advisory_xact_lock(hashtext('upload'), hashtext($1))`, values: [owner] });
  const [open] = await tx.query<OpenUploads>({
    text: `select count(*)::int as count, coalesce(sum(length), 0)::bigint as bytes from upload
      where owner = $1 and result is null and expires > clock_timestamp()`,
    values: [owner],
  });
  return open ?? { count: 0, bytes: 0 };
}

/** Inserts an upload, which expires after some hours unless it is continued. */
export async function insertUpload(
  tx: Transaction,
  { id, owner, content, mode, length, metadata, handle }: Omit<Upload, 'received' | 'blob' | 'result' | 'expires'>,
  hours: number,
): Promise<Date> {
  const [row] = await tx.query<{ expires: Date }>({
    text: `insert into upload (id, owner, content, mode, length, metadata, handle, expires)
      values ($1, $2, $3, $4, $5, $6, $7, ${EXPIRY('$8')}) returning expires`,
    values: [id, owner, content, mode, length, metadata, handle, hours],
  });
  if (!row) throw new Error('A row was not inserted');
  return row.expires;
}

/** The upload of this id; undefined when it does not exist or has expired. */
export const findUpload = (db: Queryable, id: string): Promise<Upload | undefined> =>
  firstRow<Upload>(db, {
    name: 'upload-find',
    text: `select ${COLUMNS} from upload where id = $1::uuid and expires > clock_timestamp()`,
    values: [id],
  });

/**
 * Makes a request the writer of an open upload, in place of the former writer. Returns its parts in their order; undefined when the upload has
 * another offset by now, or is finished.
 */
export async function takeUpload(
  db: Database,
  { id, writer, offset }: { id: string; writer: string; offset: number },
): Promise<uploadArea.UploadPart[] | undefined> {
  return db.transaction(async (tx) => {
    const taken = await tx.query({
      text: `update upload set writer = $2::uuid where id = $1::uuid and received = $3 and result is null
        and expires > clock_timestamp() returning id`,
      values: [id, writer, offset],
    });
    if (taken.length === 0) return undefined;
    return tx.query<uploadArea.UploadPart>({
      text: 'select number, size, tag from upload_part where upload = $1::uuid order by number',
      values: [id],
    });
  });
}

/** A unique number for a part; undefined for a request that is no longer the writer. */
export async function nextPartNumber(
  db: Queryable,
  { id, writer }: { id: string; writer: string },
): Promise<number | undefined> {
  const [row] = await db.query<{ number: number }>({
    name: 'upload-next-part',
    text: `update upload set next_part = next_part + 1 where id = $1::uuid and writer = $2::uuid
      returning next_part - 1 as number`,
    values: [id, writer],
  });
  return row?.number;
}

/**
 * Adds parts, which replace the parts that they contain, and moves the offset. Returns the new expiry of the upload; changes nothing and returns
 * undefined for a request that is no longer the writer.
 */
export async function addParts(
  db: Database,
  { id, writer, hours }: { id: string; writer: string; hours: number },
  {
    added,
    replaced,
    received,
  }: { added: readonly uploadArea.UploadPart[]; replaced: readonly number[]; received: number },
): Promise<Date | undefined> {
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ expires: Date }>({
      text: `update upload set received = $3, expires = ${EXPIRY('$4')} where id = $1::uuid and writer = $2::uuid
        and result is null returning expires`,
      values: [id, writer, received, hours],
    });
    if (!row) return undefined;
    await tx.query({
      text: 'delete from upload_part where upload = $1::uuid and number = any($2::int[])',
      values: [id, replaced],
    });
    await tx.query({
      text: `insert into upload_part (upload, number, size, tag)
        select $1::uuid, * from unnest($2::int[], $3::bigint[], $4::text[])`,
      values: [id, added.map(({ number }) => number), added.map(({ size }) => size), added.map(({ tag }) => tag)],
    });
    return row.expires;
  });
}

/** Stores the hash of the blob of all bytes. */
export async function setUploadBlob(db: Queryable, id: string, hash: string): Promise<void> {
  await db.query({ text: 'update upload set blob = $2 where id = $1::uuid', values: [id, hash] });
}

/**
 * Ends an upload in the transaction that writes its content. Returns false for a request that is no longer the writer, and when other content is at
 * the path by now.
 */
export const finishUpload = (
  tx: Transaction,
  { id, writer, path }: { id: string; writer: string; path: string },
): Promise<boolean> =>
  hasRows(tx, {
    text: `update upload u set received = length, writer = null, result = c.uid from content c
      where u.id = $1::uuid and u.writer = $2::uuid and u.result is null and c.path = $3
        and u.content = case u.mode when 'create' then c.parent else c.oid end returning u.id`,
    values: [id, writer, path],
  });

/** Removes an upload. Returns whether it existed. */
export const deleteUpload = (db: Queryable, id: string): Promise<boolean> =>
  hasRows(db, { text: 'delete from upload where id = $1::uuid returning id', values: [id] });

/** At most `limit` expired uploads. */
export const expiredUploads = (db: Queryable, limit: number): Promise<Pick<Upload, 'id' | 'handle'>[]> =>
  db.query({
    text: 'select id, handle from upload where expires <= clock_timestamp() order by expires limit $1',
    values: [limit],
  });

/** Selects the ids that are uploads. */
export async function knownUploads(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({
    text: 'select id from upload where id = any($1::uuid[])',
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}
