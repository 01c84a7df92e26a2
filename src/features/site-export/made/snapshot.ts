import { resolve } from 'node:path';
import { type Config, databases, type Kernel } from '#core';
import { openForBackup, removeCopy } from '../../backup/snapshot-request.ts';
import { withWorkFolder } from '../../backup/work-folder.ts';

const isEmbedded = ({ databaseUrl, dataDir }: Config): boolean =>
  databaseUrl === undefined && databases.hasEmbedded(resolve(dataDir));

/**
 * Runs `work` with a database that a long transaction may read. The embedded database runs one transaction at a time, so that requests would wait for
 * the end of an export: `work` gets a copy of it, as a backup does.
 */
export async function withSnapshot<T>(kernel: Kernel, work: (kernel: Kernel) => Promise<T>): Promise<T> {
  const { config, log } = kernel;
  if (!isEmbedded(config)) return work(kernel);
  const report: databases.ProblemLog = (message, error) =>
    error === undefined ? log.warn(message) : log.error({ err: error }, message);
  return withWorkFolder(config, async (folder) => {
    const db = await openForBackup(config, report, folder);
    try {
      return await work({ ...kernel, db });
    } finally {
      await db.close();
      await removeCopy(folder);
    }
  });
}
