import { randomUUID } from 'node:crypto';
import { type CommandContext, type Database, type databases, fileStores, type SiteTable } from '#core';
import type { Progress } from '#lib/process/progress';
import { loadProgramVersion } from '../monitoring/system.ts';
import { type Dump, dumpTables, listBlobs } from './dump.ts';
import { FORMAT_VERSION, type Manifest, newId } from './format.ts';
import { isArchive, openPlace, requireOutside } from './places/open-place.ts';
import { openForBackup, removeCopy } from './snapshot-request.ts';
import { withWorkFolder } from './work-folder.ts';
import { type Copied, prune, requireNewFile, writeToArchive, writeToPlace } from './write-backup.ts';

/** The result of a backup. */
export type BackupSummary = {
  id: string;
  place: string;
  at: string;
  rows: number;
  files: number;
  /** Bytes of the compressed database, and of all files of the site. */
  databaseBytes: number;
  fileBytes: number;
  /** Files that were not there already. */
  copied: Copied;
  /** Older backups that were removed. */
  removed: string[];
};

export type BackupContext = Pick<CommandContext, 'config' | 'features' | 'log' | 'progress'>;

export const problemLogOf =
  ({ log }: Pick<CommandContext, 'log'>): databases.ProblemLog =>
  (message, error) =>
    error === undefined ? log.warn(message) : log.error({ err: error }, message);

/** Reads the configured database into files of a folder. */
async function dump(context: BackupContext, folder: string, bar: Progress): Promise<Dump & Pick<Manifest, 'engine'>> {
  const declared: SiteTable[] = context.features.flatMap(({ tables = [] }) => tables);
  const db: Database = await openForBackup(context.config, problemLogOf(context), folder);
  try {
    return { engine: db.engine, ...(await dumpTables(db, { folder, declared, progress: bar })) };
  } finally {
    await db.close();
    await removeCopy(folder);
  }
}

/**
 * Makes a backup of the configured site, whether or not it is served. With `keep` only so many backups stay at the place once the new one is whole.
 * Throws BackupRefused, DatabaseUnavailable.
 */
export async function makeBackup(
  context: BackupContext,
  { target, keep }: { target: string; keep: number | undefined },
): Promise<BackupSummary> {
  const { config } = context;
  return withWorkFolder(config, async (folder) => {
    const place = isArchive(target) ? undefined : await openPlace(target, config, folder);
    if (!place) {
      requireOutside(target, config);
      await requireNewFile(target);
    }
    const blobs = await fileStores.open({ dataDir: config.dataDir, ...(config.s3 ? { s3: config.s3 } : {}) });
    const at = new Date();
    const reading = context.progress(0, 'Rows');
    const dumped = await dump(context, folder, reading).finally(() => reading.done());
    const manifest: Manifest = {
      format: 'canopy.backup',
      version: FORMAT_VERSION,
      id: newId(at, randomUUID()),
      program: loadProgramVersion(),
      at: at.toISOString(),
      ...dumped,
      ...(await listBlobs(folder, blobs)),
    };
    const copying = context.progress(0, 'Files');
    const prepared = { manifest, folder, blobs, progress: copying };
    const written = place ? writeToPlace(place, prepared) : writeToArchive(target, prepared);
    const copied = await written.finally(() => copying.done());
    const { tables } = manifest;
    return {
      id: manifest.id,
      place: place?.label ?? target,
      at: manifest.at,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      files: manifest.blobs.count,
      databaseBytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
      fileBytes: manifest.blobs.bytes,
      copied,
      removed: place && keep !== undefined ? await prune(place, keep) : [],
    };
  });
}
