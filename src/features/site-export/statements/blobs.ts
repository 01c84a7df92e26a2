import type { Queryable } from '#core';
import { loadBatches } from '#lib/batches';

/** Opens a list of possible files in the transaction of an export: their hashes, and the places of their bytes in the export. */
export async function openBlobList(tx: Queryable): Promise<void> {
  await tx.query({
    text: 'create temporary table export_blob (hash text primary key, file text, size bigint) on commit drop',
  });
}

/** Adds hashes from rows. */
export async function noteBlobs(tx: Queryable, hashes: readonly string[]): Promise<void> {
  await tx.query({
    name: 'export-note-blobs',
    text: 'insert into export_blob (hash) select unnest($1::text[]) on conflict do nothing',
    values: [hashes],
  });
}

/** Stores the place of the bytes of a file in the export, unless the file has a place already. */
export async function placeBlob(tx: Queryable, blob: { hash: string; file: string; size: number }): Promise<void> {
  await tx.query({
    name: 'export-place-blob',
    text: `insert into export_blob (hash, file, size) values ($1, $2, $3)
      on conflict (hash) do update set file = excluded.file, size = excluded.size where export_blob.file is null`,
    values: [blob.hash, blob.file, blob.size],
  });
}

export type PlacedBlob = { hash: string; file: string | null; size: number | null };

const BATCH = 1000;

/** The list in the order of the hashes: the hashes with a place for `placed`, else those without. */
export async function* listBlobs(tx: Queryable, placed: boolean): AsyncGenerator<PlacedBlob> {
  const load = (last: PlacedBlob | undefined) =>
    tx.query<PlacedBlob>({
      name: 'export-list-blobs',
      text: 'select hash, file, size from export_blob where hash > $1 and (file is not null) = $2 order by hash limit $3',
      values: [last?.hash ?? '', placed, BATCH],
    });
  for await (const rows of loadBatches(BATCH, load)) yield* rows;
}
