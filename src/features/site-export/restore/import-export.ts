import { type Kernel, rehearse, secretBox, type Transaction } from '#core';
import { type Progress, progress as showProgress } from '#lib/process/progress';
import { ExportRefused, normalPath } from '../format.ts';
import { Secrets } from '../secrets.ts';
import { liftTimeouts } from '../statements/rows.ts';
import { schemaVersion } from '../statements/tables.ts';
import { loadTables } from '../tables.ts';
import { importPart } from './import-part.ts';
import type { OwnSummary } from './import-run.ts';
import { loadFiles } from './load-files.ts';
import type { OwnExport } from './own-export.ts';
import { requireNew, restoreSite } from './restore-site.ts';

export type OwnImportOptions = {
  /** The folder for a part of a site; its old place unless given. */
  path?: string | undefined;
  /** True if a whole site may replace a site in use. */
  replace?: boolean;
  /** True to do everything and roll it back. */
  dryRun?: boolean;
  /** True to import only if nothing is left out. */
  strict?: boolean;
  /** The passphrase of the export; without it secrets are left out. */
  passphrase?: string | undefined;
  progress?: (total: number, title: string) => Progress;
};

/**
 * Imports an export by `exportSite`: all of it, or nothing after a failure.
 * @throws ExportRefused
 */
export async function importOwnExport(
  kernel: Kernel,
  source: OwnExport,
  options: OwnImportOptions,
): Promise<OwnSummary & { kept: boolean }> {
  const { manifest } = source;
  const isPart = manifest.path !== '/';
  if (isPart && options.replace)
    throw new ExportRefused('--replace is for exports of a whole site: a part is added to what is there.');
  if (!isPart && options.path !== undefined)
    throw new ExportRefused('--path is for exports of a part of a site (canopy export --path=/part).');
  if (manifest.version > 1 && (await schemaVersion(kernel.db)) < manifest.schema)
    throw new ExportRefused(
      'The export is of a newer version of Canopy. Import it with that version, or upgrade this one.',
    );
  if (!isPart && !options.replace) await requireNew(kernel.db);
  const own = await secretBox.open(kernel.db, kernel.config.secretsKeys);
  const secrets = Secrets.forImport(own, manifest.secrets, options.passphrase);
  const { dryRun = false, strict = false, progress = showProgress } = options;
  const objects = manifest.tables.content ?? 0;
  const bar = progress(manifest.blobs + 2 * objects, dryRun ? 'Checking' : 'Importing');
  try {
    const files = await loadFiles(source, { blobs: kernel.blobs, dryRun, progress: bar });
    const isKept = ({ left }: OwnSummary): boolean => !dryRun && !(strict && left.length > 0);
    const restore = async (tx: Transaction): Promise<OwnSummary> => {
      await liftTimeouts(tx);
      const added: string[] = [];
      const left: string[] = [];
      const run = { kernel, tx, source, secrets, progress: bar, tables: await loadTables(kernel, tx) };
      let path = '/';
      if (isPart)
        path = await importPart(run, options.path === undefined ? undefined : normalPath(options.path), {
          added,
          left,
        });
      else await restoreSite(run, options.replace ?? false);
      if (secrets.left > 0)
        left.push(
          `${secrets.left} secrets are left out: the export has them encrypted. Give --passphrase-file to have them.`,
        );
      return { path, objects, files, added, left };
    };
    const summary = await rehearse(kernel.db, restore, isKept);
    return { ...summary, kept: isKept(summary) };
  } finally {
    bar.done();
  }
}
