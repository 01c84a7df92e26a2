import { configuration, type Kernel, secretBox, type Transaction } from '#core';
import { type Progress, progress as showProgress } from '#lib/process/progress';
import { ExportFiles } from './export-files.ts';
import type { ExportRun } from './export-run.ts';
import { ExportRefused, FORMAT_VERSION, MANIFEST, type Manifest, normalPath, tableFile } from './format.ts';
import { writeItems } from './plone/items.ts';
import { type PloneLacks, writeSideFiles } from './plone/side-files.ts';
import { Secrets } from './secrets.ts';
import { typesBelow } from './statements/plone.ts';
import { countRows, liftTimeouts, objectAt, readRows } from './statements/rows.ts';
import { lastNumbers, schemaVersion } from './statements/tables.ts';
import { type ExportedTable, isInParts, loadTables } from './tables.ts';
import { type ExportTarget, whole } from './target/export-target.ts';

export type ExportOptions = {
  target: ExportTarget;
  /** The part of the site, `/` unless given. */
  path?: string | undefined;
  /** The passphrase that encrypts secrets; without it they are left out. */
  passphrase?: string | undefined;
  /** Shows the progress; unless given, as a bar on standard error when that is a terminal, else as lines. */
  progress?: (total: number, title: string) => Progress;
};

/** The contents of an export, and the parts that it lacks. */
export type ExportSummary = {
  path: string;
  objects: number;
  /** Number of rows by table. */
  tables: Record<string, number>;
  files: number;
  bytes: number;
  /** Number of secrets that were left out because there was no passphrase. */
  secretsLeft: number;
  /** Tables that no feature declares. */
  unknownTables: readonly string[];
  missingFiles: readonly string[];
  missingCount: number;
  ploneLacks: PloneLacks;
};

/**
 * Exports a site, or the content at and below a path, in its state at one moment; writes go on meanwhile. After a failure the place of the target
 * stays empty. @throws ExportRefused when there is no content at the path
 */
export async function exportSite(kernel: Kernel, options: ExportOptions): Promise<ExportSummary> {
  const { target } = options;
  const own = await secretBox.open(kernel.db, kernel.config.secretsKeys);
  try {
    const exportAll = async (tx: Transaction) => {
      await liftTimeouts(tx);
      const site = await kernel.sites.within(tx);
      const secrets = Secrets.forExport(kernel, site, own, options.passphrase);
      return writeExport({ kernel, site, tx, secrets }, options);
    };
    const summary = await kernel.db.transaction(exportAll, { snapshot: true });
    await target.finish();
    return summary;
  } catch (error) {
    await target.discard();
    throw error;
  }
}

async function writeExport(
  parts: Pick<ExportRun, 'kernel' | 'site' | 'secrets'> & { tx: Transaction },
  { target, path: given = '/', progress = showProgress }: ExportOptions,
): Promise<ExportSummary> {
  const { kernel, tx, secrets } = parts;
  const path = normalPath(given);
  if (!(await objectAt(tx, path)))
    throw new ExportRefused(`There is nothing at ${path}. Name the path of content as in its address.`);
  const at = new Date();
  const tables = await loadTables(kernel, tx);
  const exported = tables.kept.filter(
    ({ table }) => path === '/' || isInParts(table) || table.name === 'configuration',
  );
  const files = await ExportFiles.open(tx, kernel.blobs, target);
  const content = exported.find(({ table }) => table.name === 'content');
  const total = content ? await countRows(tx, content.table, path === '/' ? undefined : path) : 0;
  const bar = progress(total, 'Exporting');
  const run: ExportRun = { ...parts, tables, path, target, files, progress: bar };
  const counts: Record<string, number> = {};
  let ploneLacks: PloneLacks;
  try {
    for (const table of exported) counts[table.table.name] = await writeTable(run, table);
    await writeItems(run);
    ploneLacks = await writeSideFiles(run);
    await files.writeRest();
    const manifest: Manifest = {
      format: 'canopy.export',
      version: FORMAT_VERSION,
      at: at.toISOString(),
      schema: await schemaVersion(tx),
      path,
      tables: counts,
      numbers: await lastNumbers(
        tx,
        exported.map(({ shape }) => shape),
      ),
      types: await typesBelow(tx, path),
      blobs: await files.writeList(),
      secrets: secrets.key,
    };
    // The manifest is written last, so that an export with a manifest is complete.
    await target.write(MANIFEST, whole(`${JSON.stringify(manifest, null, 1)}\n`));
  } finally {
    bar.done();
  }
  return {
    path,
    objects: total,
    tables: counts,
    files: files.count,
    bytes: files.bytes,
    secretsLeft: secrets.left,
    unknownTables: tables.unknown,
    missingFiles: files.missing,
    missingCount: files.missingCount,
    ploneLacks,
  };
}

/** The kinds of configuration that the types of a part need. Settings belong to the site. */
const OF_PARTS: readonly string[] = [
  configuration.KINDS.type,
  configuration.KINDS.behavior,
  configuration.KINDS.workflow,
  configuration.KINDS.vocabulary,
];

const isOfPart = (row: string): boolean => {
  const { kind }: { kind?: unknown } = JSON.parse(row);
  return typeof kind === 'string' && OF_PARTS.includes(kind);
};

/** Writes the rows of a table, one in each line. Returns the number of rows. */
async function writeTable(run: ExportRun, { table, shape }: ExportedTable): Promise<number> {
  const { tx, path, files, secrets, target } = run;
  let count = 0;
  const part = path === '/' || !isInParts(table) ? undefined : path;
  async function* lines(): AsyncGenerator<string> {
    for await (const batch of readRows(tx, table, shape, part)) {
      const wanted = path === '/' || isInParts(table) ? batch : batch.filter(isOfPart);
      const rows = wanted.flatMap((row) => secrets.protect(table, row) ?? []);
      await files.note(rows);
      count += rows.length;
      if (rows.length > 0) yield `${rows.join('\n')}\n`;
    }
  }
  await target.write(tableFile(table.name), lines());
  return count;
}
