import { createHash } from 'node:crypto';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Progress, progress as showProgress } from '../../lib/progress.ts';
import { importComments } from './import-comments.ts';
import { importContent } from './import-content.ts';
import { makePlan } from './import-plan.ts';
import { importPrincipals } from './import-principals.ts';
import { importRedirects } from './import-redirects.ts';
import { createReport, emptySummary, type ImportSummary } from './import-report.ts';
import { type ImportJob, type ImportRun, type ImportScope, lastingScope, rehearse } from './import-run.ts';
import { type ImportProblem, type ImportSource, openImportSource } from './import-source.ts';
import { makeTypes, typeNames } from './import-types.ts';
import { collectItemRelations, collectItemTranslations, linkMap } from './item-links.ts';

export type ImportOptions = {
  /** Folder of the export; for collective.exportimport also a JSON file with the list of its objects. */
  directory: string;
  /** Does everything and rolls it back: the summary is that of a real import, the site stays unchanged. */
  dryRun?: boolean;
  /** Shows the progress; unless given, as a bar on standard error when that is a terminal, else as lines. */
  progress?: (total: number, title: string) => Progress;
  /** Called with each problem when it is found. The summary has all of them as well. */
  report?: (problem: ImportProblem) => void;
  /** Number of objects written in one transaction, 200 unless given. */
  batchSize?: number;
};

const DEFAULT_BATCH_SIZE = 200;

/**
 * Imports an exported site: types, users, groups, content with its files, redirects, comments. Whatever is present
 * already stays unchanged; an interrupted import goes on where it stopped when it is started again.
 * @throws BadRequest when `directory` is not an export
 */
export async function importSite(kernel: Kernel, options: ImportOptions): Promise<ImportSummary> {
  const source = await openImportSource(options.directory);
  const key = await keyOf(source);
  const run = (scope: ImportScope) => importInto(kernel, source, scope, key, options);
  return options.dryRun ? rehearse(kernel.db, run) : run(lastingScope(kernel.db));
}

async function importInto(
  kernel: Kernel,
  source: ImportSource,
  scope: ImportScope,
  key: string,
  {
    dryRun = false,
    progress = showProgress,
    report: onProblem = () => {},
    batchSize = DEFAULT_BATCH_SIZE,
  }: ImportOptions,
): Promise<ImportSummary> {
  const summary = emptySummary(source.format, dryRun);
  const report = createReport(onProblem);
  const bar = progress(await source.count(), 'Importing');
  try {
    const job: ImportJob = { kernel, source, key, scope, dryRun, report, summary, progress: bar };
    const run = await prepare(job, kernel);
    await importContent(run, batchSize);
    await importRedirects(run);
    await importComments(run);
  } finally {
    bar.done();
  }
  for (const problem of source.problems()) report.problem(problem);
  summary.problems = report.finish();
  return summary;
}

async function prepare(job: ImportJob, { config }: Kernel): Promise<ImportRun> {
  const { source, scope, key, report } = job;
  const groups = await importPrincipals(job);
  const site = await makeTypes(job);
  const plan = await makePlan(scope.db, key, await source.addresses(), report);
  return {
    ...job,
    ...{ site, groups, plan },
    typeOf: typeNames(site),
    links: linkMap(plan, config.publicUrl === undefined ? [] : [config.publicUrl]),
    relations: await collectItemRelations(source, plan, job),
    translations: await collectItemTranslations(scope.db, source, plan, job),
    places: new Map(),
  };
}

/**
 * Makes the key of the import's progress from the addresses of the objects, so that the folder can be moved between two
 * runs.
 */
async function keyOf(source: ImportSource): Promise<string> {
  const hash = createHash('sha256').update(source.format);
  for (const { uid, path } of await source.addresses()) hash.update(JSON.stringify([uid, path]));
  return hash.digest('hex');
}
