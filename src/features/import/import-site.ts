import { createHash } from 'node:crypto';
import { ploneReader } from '@canopy-server/plone-export';
import type { ExportSource, LinkForms, SiteReader } from '@canopy-server/site-reader';
import { type Kernel, references, rehearse } from '#core';
import { BadRequest } from '#lib/errors';
import { type Progress, progress as showProgress } from '#lib/process/progress';
import { replaceHtmlLinks } from '#lib/text/html-links';
import { earlierImport, importAgain } from './again/import-again.ts';
import { type ConflictRule, createDifferenceLog } from './again/log.ts';
import { recordOrders } from './again/order.ts';
import { isExportError } from './choose-reader.ts';
import { importComments } from './import-comments.ts';
import { importContent } from './import-content.ts';
import { importLanguages } from './import-languages.ts';
import { importPrincipals } from './import-principals.ts';
import { importRedirects } from './import-redirects.ts';
import { createReport, type ImportProblem, type ImportReport } from './import-report.ts';
import { type ImportJob, type ImportScope, lastingScope, partScope } from './import-run.ts';
import { emptySummary, type ImportSummary, losesSomething } from './import-summary.ts';
import { makeTypes } from './import-types.ts';
import { fillMissingFiles } from './missing-files.ts';
import { prepareRun } from './prepare-run.ts';
import { createReportFile } from './report-file.ts';
import { requestOutside } from './request-outside.ts';

export type ImportOptions = {
  /** The place that the reader takes: a folder, a file, or an address. */
  directory: string;
  /** The reader of exports of Plone unless given. */
  reader?: SiteReader | undefined;
  /** Values of the reader's own options. */
  readerOptions?: Readonly<Record<string, string>> | undefined;
  /** Does everything and rolls it back: the summary is that of a real import, the site stays unchanged. */
  dryRun?: boolean;
  /** Imports only if nothing would be lost: a dry run comes first. */
  strict?: boolean;
  /** Address of the root of the old site (`/Plone`, `https://example.org/site`), for exports that do not show it. */
  siteRoot?: string | undefined;
  /** Makes a block of the text of classic content that has no blocks. */
  textAsBlocks?: boolean;
  /** Name of a file that gets every problem and the counts, as JSON. */
  reportFile?: string | undefined;
  /** Shows the progress; unless given, as a bar on standard error when that is a terminal, else as lines. */
  progress?: (total: number, title: string) => Progress;
  /** Imports a newer export of a site that was imported before; the rule for what was changed here and there. */
  again?: ConflictRule | undefined;
  /** Number of objects written in one transaction, 200 unless given. */
  batchSize?: number;
  /** Where an import that is no dry run reads and writes; the database of the kernel unless given. */
  scope?: ImportScope | undefined;
  /** Called with each problem when it is found, whatever their number. */
  onProblem?: ((problem: ImportProblem) => void) | undefined;
};

const DEFAULT_BATCH_SIZE = 200;

/** How this server writes links, for the reader of exports. */
export const LINK_FORMS: LinkForms = {
  replaceInHtml: replaceHtmlLinks,
  parseReference: references.parse,
  referenceTo: references.stored,
};

/**
 * Imports an exported site: types, users, groups, content with its files, redirects, comments. Whatever is present
 * already stays unchanged; an interrupted import goes on where it stopped when it is started again.
 * With `again` a newer export of the same site is merged with what the site has made of the former one.
 * @throws BadRequest when `directory` is not an export, or the file of the report cannot be written
 */
export async function importSite(kernel: Kernel, options: ImportOptions): Promise<ImportSummary> {
  if ((options.strict || options.again === 'stop') && !options.dryRun) {
    const rehearsal = await importOnce(kernel, options, true);
    if (rehearsal.refused) return rehearsal;
  }
  return importOnce(kernel, options, false);
}

/** Says if the import is to end before anything is written. */
const isRefused = (summary: ImportSummary, { strict, again }: ImportOptions): boolean =>
  (strict === true && losesSomething(summary)) || (again === 'stop' && (summary.again?.counts.conflicts ?? 0) > 0);

/** Imports once. A rehearsal is a dry run, which is the refusal of the import when something would be lost, or nobody has decided conflicts. */
async function importOnce(kernel: Kernel, options: ImportOptions, rehearsal: boolean): Promise<ImportSummary> {
  const { directory, reader = ploneReader, readerOptions = {}, siteRoot, reportFile } = options;
  const dryRun = rehearsal || options.dryRun === true;
  const file = reportFile === undefined ? undefined : createReportFile(reportFile);
  let done: ImportSummary | undefined;
  let source: ExportSource | undefined;
  try {
    const report = createReport((problem) => {
      file?.write(problem);
      options.onProblem?.(problem);
    });
    const opened = await reader.open(directory, {
      problems: report,
      links: LINK_FORMS,
      siteRoot,
      request: requestOutside,
      options: readerOptions,
    });
    source = opened;
    const key = await (options.again ? keyOfEarlier(kernel, opened) : keyOf(opened));
    const run = (scope: ImportScope) =>
      importInto(kernel, { source: opened, scope, key, report }, { ...options, dryRun });
    const summary = await (dryRun
      ? rehearse(kernel.db, (tx) => run(partScope(tx)))
      : run(options.scope ?? lastingScope(kernel.db)));
    done = rehearsal && isRefused(summary, options) ? { ...summary, dryRun: false, refused: true } : summary;
    return done;
  } catch (error) {
    throw isExportError(error) ? new BadRequest(error.message) : error;
  } finally {
    await source?.close?.();
    file?.close(done);
  }
}

async function importInto(
  kernel: Kernel,
  { report, ...parts }: Pick<ImportJob, 'source' | 'scope' | 'key'> & { report: ImportReport },
  {
    dryRun = false,
    textAsBlocks = false,
    progress = showProgress,
    batchSize = DEFAULT_BATCH_SIZE,
    again,
  }: ImportOptions,
): Promise<ImportSummary> {
  const { source } = parts;
  const summary = emptySummary(source.format, dryRun);
  const bar = progress(await source.count(), dryRun ? 'Checking' : 'Importing');
  try {
    const job: ImportJob = { kernel, ...parts, dryRun, textAsBlocks, report, summary, progress: bar };
    if (again) {
      const differences = createDifferenceLog(again, report);
      await importAgain({ ...job, again: { kernel, rule: again, differences } }, batchSize);
      summary.again = differences.differences();
    } else await importFirst(job, batchSize);
  } finally {
    bar.done();
  }
  summary.problems = report.problems();
  summary.reasons = report.counts();
  return summary;
}

/** Imports what the site does not have yet. */
async function importFirst(job: ImportJob, batchSize: number): Promise<void> {
  const groups = await importPrincipals(job);
  const site = await makeTypes(job);
  const run = await prepareRun(job, { site, groups, addresses: await job.source.addresses() });
  await fillMissingFiles(run);
  await importContent(run, batchSize);
  await recordOrders(run);
  await importLanguages(run);
  run.oldAddresses.report(run.report);
  await importRedirects(run);
  await importComments(run);
}

/** Finds the key of the earlier import of the same site. */
const keyOfEarlier = async (kernel: Kernel, source: ExportSource): Promise<string> =>
  earlierImport(
    kernel,
    (await source.addresses()).map(({ uid }) => uid),
  );

/**
 * Makes the key of the import's progress from the addresses of the objects, so that the folder can be moved between two
 * runs.
 */
async function keyOf(source: ExportSource): Promise<string> {
  const hash = createHash('sha256').update(source.format);
  for (const { uid, path } of await source.addresses()) hash.update(JSON.stringify([uid, path]));
  return hash.digest('hex');
}
