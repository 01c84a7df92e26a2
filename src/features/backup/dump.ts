import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, databases, type fileStores, type Queryable, type SiteTable } from '#core';
import { chunks } from '#lib/chunks';
import type { Progress } from '#lib/process/progress';
import { BackupRefused, BLOB_LIST, type Manifest, type TablePart, tableFile } from './format.ts';
import { blobLine, readLines } from './lines.ts';
import { writePart } from './part-file.ts';
import { PRIVATE_FOLDER } from './places/folder-place.ts';
import { lastNumbers, preciseTexts, readHashes, readRows, tableShapes } from './statements/read.ts';

/** File of the hashes that stand in the database. */
const HASHES = 'hashes.txt.gz';
/** Number of files that the store is asked for at once. */
const ASKED_AT_ONCE = 8;

/** Facts for the manifest about the database in the files of a folder. */
export type Dump = Pick<Manifest, 'schema' | 'tables' | 'numbers'>;

async function* joined(
  batches: AsyncIterable<readonly string[]>,
  count: (rows: number) => void,
): AsyncGenerator<string> {
  for await (const lines of batches) {
    count(lines.length);
    yield `${lines.join('\n')}\n`;
  }
}

/**
 * Writes the rows of all tables, as they are at one moment, into a folder. `declared` are the tables of features. Throws BackupRefused
 * when there is no site.
 */
export async function dumpTables(
  db: Database,
  { folder, declared, progress }: { folder: string; declared: readonly SiteTable[]; progress: Progress },
): Promise<Dump> {
  await mkdir(join(folder, 'tables'), { recursive: true, mode: PRIVATE_FOLDER });
  const byName = new Map(declared.map((table) => [table.name, table]));
  const dump = async (tx: Queryable): Promise<Dump> => {
    await preciseTexts(tx);
    const schema = await databases.schemaVersion(tx);
    if (schema.program.length === 0) throw new BackupRefused('There is no site in the database.');
    const tables: TablePart[] = [];
    for (const shape of await tableShapes(tx)) {
      const table = byName.get(shape.name);
      if (table && 'local' in table && table.local) continue;
      let rows = 0;
      const lines = joined(readRows(tx, shape), (count) => {
        rows += count;
        progress.tick(count, shape.name);
      });
      const measure = await writePart(join(folder, tableFile(shape.name)), lines);
      const columns = shape.columns.map(({ name }) => name);
      tables.push({ name: shape.name, columns, rows, declared: table !== undefined, ...measure });
    }
    await writePart(
      join(folder, HASHES),
      joined(readHashes(tx), () => {}),
    );
    return { schema, tables, numbers: await lastNumbers(tx) };
  };
  return db.transaction(dump, { snapshot: true });
}

/**
 * Writes the list of the files of a dump: the hashes of files in the store. All other hashes belong to other things, or to files that the site has
 * lost as well.
 */
export async function listBlobs(
  folder: string,
  blobs: Pick<fileStores.Store, 'size'>,
): Promise<Pick<Manifest, 'blobList' | 'blobs'>> {
  let [count, bytes] = [0, 0];
  const digest = createHash('sha256');
  async function* lines(): AsyncGenerator<string> {
    for await (const hashes of chunks(readLines(createReadStream(join(folder, HASHES))), ASKED_AT_ONCE)) {
      const sizes = await Promise.all(hashes.map((hash) => blobs.size(hash)));
      for (const [index, hash] of hashes.entries()) {
        const size = sizes[index];
        if (size === undefined) continue;
        count += 1;
        bytes += size;
        const line = `${blobLine(hash, size)}\n`;
        digest.update(line);
        yield line;
      }
    }
  }
  const blobList = await writePart(join(folder, BLOB_LIST), lines());
  return { blobList, blobs: { count, bytes, sha256: digest.digest('hex') } };
}
