import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Kernel } from '#core';
import type { Progress } from '#lib/process/progress';
import { BLOB_LIST, ExportRefused, isBlobLine } from '../format.ts';
import type { OwnExport } from './own-export.ts';
import { linesOf } from './read-lines.ts';

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * Stores the files of an export, before any row refers to them. A dry run only reads them. Returns the number of files. @throws ExportRefused for a
 * missing or changed file
 */
export async function loadFiles(
  source: OwnExport,
  { blobs, dryRun, progress }: { blobs: Kernel['blobs']; dryRun: boolean; progress: Progress },
): Promise<number> {
  let count = 0;
  for await (const line of linesOf(await source.locate(BLOB_LIST))) {
    const entry: unknown = JSON.parse(line);
    if (!isBlobLine(entry))
      throw new ExportRefused(`${BLOB_LIST} has a line that is none of it: ${line.slice(0, 200)}`);
    const file = await source.locate(entry.file);
    const hash = dryRun ? await hashOf(file) : (await blobs.put(createReadStream(file))).hash;
    if (hash !== entry.hash)
      throw new ExportRefused(
        `${entry.file} was changed since the export. Put the old file back, or export the site again.`,
      );
    count += 1;
    progress.tick(1, entry.file);
  }
  return count;
}
