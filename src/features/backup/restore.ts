import { resolve } from 'node:path';
import { type CommandContext, type Config, type Database, databases, fileStores, type Transaction } from '#core';
import { folderPath, packageFolder } from '#lib/process/process';
import type { Progress } from '#lib/process/progress';
import { stopJobs } from '../jobs/statements/jobs.ts';
import { BackupRefused, BLOB_LIST, type Manifest, tableFile } from './format.ts';
import { batches, readLines } from './lines.ts';
import { problemLogOf } from './make-backup.ts';
import { isArchive, openPlace } from './places/open-place.ts';
import { type BackupSource, openArchive, openBackup, readFiles } from './read-backup.ts';
import { BACKUP_ACTION } from './schedule-backups.ts';
import {
  continueNumbers,
  countOthers,
  deferChecks,
  emptyTables,
  hasSiteRows,
  restoreChecks,
  writeRows,
} from './statements/load.ts';
import { preciseTexts, tableShapes } from './statements/read.ts';

/** Bounds of the rows that one statement writes. */
const MAX_BATCH_LENGTH = 1024 * 1024;
const MAX_BATCH_ROWS = 1000;

export type RestoreContext = Pick<CommandContext, 'config' | 'features' | 'log' | 'progress'>;

/** A backup by its place; the newest there unless `id` names one. */
export type BackupName = { source: string; id: string | undefined };

/** Result of a restore; `leftOut` are tables of the backup that no feature makes. */
export type RestoreSummary = { manifest: Manifest; label: string; leftOut: string[] };

/** Opens a backup. Throws BackupRefused. */
export async function findBackup(config: Config, { source, id }: BackupName): Promise<BackupSource> {
  return isArchive(source) ? openArchive(source) : openBackup(await openPlace(source, config), id);
}

/** Reads all of a backup. Throws BackupRefused when a byte differs from what was written. */
export async function verifyBackup(backup: BackupSource, progress: RestoreContext['progress']): Promise<void> {
  await readFiles(backup, 'database');
  const bar = progress(backup.manifest.blobs.count, 'Checking files');
  try {
    await readFiles(backup, 'blobs', async (_name, stream) => {
      for await (const _ of stream);
      bar.tick();
    });
  } finally {
    bar.done();
  }
}

/** The folders of migrations. Throws BackupRefused when a feature is missing whose tables the backup has. */
function migrationFolders({ features }: RestoreContext, { schema }: Manifest): databases.MigrationFolders {
  const folders = new Map<string, string>();
  for (const { name, migrations } of features) if (migrations !== undefined) folders.set(name, folderPath(migrations));
  const missing = Object.keys(schema.features).filter((name) => !folders.has(name));
  if (missing.length > 0)
    throw new BackupRefused(
      `The backup has tables of ${missing.join(', ')}, which this program does not load. Name it in canopy.config first.`,
    );
  return { program: packageFolder('migrations'), features: folders };
}

/** Makes the tables and writes the rows of a backup into them. Returns the tables that are left out because no migration makes them. */
async function loadDatabase(
  tx: Transaction,
  backup: BackupSource,
  { folders, bar }: { folders: databases.MigrationFolders; bar: Progress },
): Promise<string[]> {
  const { manifest } = backup;
  await preciseTexts(tx);
  await databases.rebuildSchema(tx, manifest.schema, folders);
  const shapes = new Map((await tableShapes(tx)).map((shape) => [shape.name, shape]));
  const missing = manifest.tables.filter(({ name }) => !shapes.has(name));
  const needed = missing.filter(({ declared, rows }) => declared && rows > 0).map(({ name }) => name);
  if (needed.length > 0)
    throw new BackupRefused(`This program does not make the tables ${needed.join(', ')} of the backup.`);
  const loaded = manifest.tables.filter(({ name }) => shapes.has(name));
  await emptyTables(tx, loaded);
  const deferred = await deferChecks(tx, [...shapes.values()]);
  const byFile = new Map(loaded.map((table) => [tableFile(table.name), table]));
  await readFiles(backup, 'database', async (name, stream) => {
    const table = byFile.get(name);
    const shape = shapes.get(table?.name ?? '');
    if (!table || !shape || name === BLOB_LIST) {
      for await (const _ of stream);
      return;
    }
    const columns = table.columns.map((column) => {
      const found = shape.columns.find((one) => one.name === column);
      if (!found) throw new BackupRefused(`The table ${table.name} of this program has no column ${column}.`);
      return found;
    });
    let rows = 0;
    for await (const batch of batches(readLines(stream), { maxLength: MAX_BATCH_LENGTH, maxLines: MAX_BATCH_ROWS })) {
      await writeRows(tx, table.name, columns, batch);
      rows += batch.length;
      bar.tick(batch.length, table.name);
    }
    if (rows !== table.rows)
      throw new BackupRefused(`The backup ${backup.label} has ${rows} rows of ${table.name}, not ${table.rows}.`);
  });
  await continueNumbers(
    tx,
    manifest.numbers.filter(({ table }) => shapes.has(table)),
  );
  await restoreChecks(tx, [...shapes.values()], deferred);
  // A backup that a job has made contains the row of this job as running.
  await stopJobs(tx, BACKUP_ACTION);
  return missing.filter(({ rows }) => rows > 0).map(({ name }) => name);
}

/** Throws BackupRefused when the database has a site that must stay, or that servers use. */
async function requireRoom(db: Database, replace: boolean): Promise<void> {
  const others = await countOthers(db);
  if (others > 0)
    throw new BackupRefused(`Servers use this database (${others} connections). Stop them, then restore.`);
  if (!replace && (await hasSiteRows(db)))
    throw new BackupRefused(
      'There is a site in this database. Restore into an empty one, or add --replace to lose the site there.',
    );
}

/**
 * Restores a backup into the configured database, which is empty or, with `replace`, has a site, which is lost. All of the backup is checked before
 * anything is written. The database is replaced as a whole or not at all. Throws BackupRefused, DatabaseUnavailable.
 */
export async function restoreBackup(
  context: RestoreContext,
  backup: BackupSource,
  { replace }: { replace: boolean },
): Promise<RestoreSummary> {
  const { config, progress } = context;
  const { manifest, label } = backup;
  const folders = migrationFolders(context, manifest);
  await databases.requireVersion(manifest.schema, folders);
  const dataDir = resolve(config.dataDir);
  const log = problemLogOf(context);
  const { databaseUrl, databaseDirectUrl: directUrl } = config;
  if (databaseUrl === undefined && !replace && databases.hasEmbedded(dataDir))
    throw new BackupRefused(
      `There is a site in the folder ${dataDir} (DATA_DIR). Restore into an empty folder, or add --replace to lose the site there.`,
    );
  const db = databaseUrl === undefined ? undefined : await databases.open({ databaseUrl, directUrl, dataDir, log });
  try {
    if (db) await requireRoom(db, replace);
    await verifyBackup(backup, progress);
    await restoreFiles(context, backup);
    const bar = progress(
      manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      'Rows',
    );
    let leftOut: string[] = [];
    const load = async (target: Database) => {
      leftOut = await target.transaction((tx) => loadDatabase(tx, backup, { folders, bar }));
    };
    await (db ? load(db) : databases.replaceEmbedded({ dataDir, log }, load)).finally(() => bar.done());
    return { manifest, label, leftOut };
  } finally {
    await db?.close();
  }
}

/** Stores the files of a backup. Files of a replaced site stay until they are collected. */
async function restoreFiles({ config, progress }: RestoreContext, backup: BackupSource): Promise<void> {
  const { dataDir, s3 } = config;
  const blobs = await fileStores.open({ dataDir, ...(s3 ? { s3 } : {}) });
  const bar = progress(backup.manifest.blobs.count, 'Files');
  try {
    await readFiles(backup, 'blobs', async (_name, stream) => {
      await blobs.put(stream);
      bar.tick();
    });
  } finally {
    bar.done();
  }
}
