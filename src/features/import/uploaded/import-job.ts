import type { SiteReader } from '@canopy-server/site-reader';
import { type JobAction, KERNEL_FEATURES, PACKAGE_LOADER, type Transaction } from '#core';
import { BadRequest, Conflict, NotFound } from '#lib/errors';
import type { Progress } from '#lib/process/progress';
import { isUuid } from '#lib/text/uuid';
import { ExportRefused } from '../../site-export/format.ts';
import { requireManager } from '../../site-export/managers.ts';
import type { OwnExport } from '../../site-export/restore/own-export.ts';
import { removeLeftOvers } from '../../site-export/restore/private-folder.ts';
import { findExport } from '../find-export.ts';
import type { ImportScope } from '../import-run.ts';
import { type FileKind, findExportRow, forgetFile, noteJob, storeReport } from '../statements/uploaded.ts';
import { countReasons, deleteLines } from '../statements/uploaded-lines.ts';
import { choicesOfJob, type ImportChoices, misfit, problemsOfJob, SCHEMA, withoutOptions } from './import-options.ts';
import { type CopiedFile, copyFile } from './receive-export.ts';
import { type Report, reportOf, reportOfOwn, storedReport } from './report.ts';
import { ReportLines } from './report-lines.ts';

export const IMPORT_ACTION = 'import';

/** Hours for which a file stays at least once a job of it has begun. */
const KEEP_HOURS = 1;

type Job = Parameters<JobAction['run']>[0];

/** The checkpoint of an import: its progress itself is in `import_progress`. */
const BEGUN = { begun: true };

/** The export on the disk of this process. */
type CopiedPlace = { place: string; isUnpacked: boolean; remove(): Promise<void> };

/** The state of a running import. */
type Running = {
  job: Job;
  id: string;
  lines: ReportLines;
  dryRun: boolean;
  resumed: boolean;
  done: number;
  total: number;
};

/** Shows the progress of an import as that of its job, and ends the import when the job is aborted. */
const progressOf =
  (run: Running) =>
  (total: number): Progress => {
    run.done = 0;
    run.total = total;
    return {
      tick(count = 1) {
        run.job.signal.throwIfAborted();
        run.done += count;
        run.total = Math.max(run.total, run.done);
        run.job.progress(run.done, run.total);
      },
      done() {},
    };
  };

/** Runs `work` in a step of the job, together with the lines that were found. Nothing is committed when another process has taken over. */
async function inStep<T>(run: Running, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { result, onStored } = await run.job.step(async (tx) => ({
    result: await work(tx),
    onStored: await run.lines.store(tx, run.id),
    ...{ checkpoint: BEGUN, done: run.done, total: run.total },
  }));
  onStored();
  return result;
}

const stepScope = (run: Running): ImportScope => ({
  db: run.job.kernel.db,
  write: (work) => inStep(run, work),
});

/** Begins an import: removes the report of an earlier job, unless this job goes on after the end of its process. */
async function begin(job: Job, id: string, dryRun: boolean): Promise<Running> {
  const { agent } = job.caller;
  const hours = KEEP_HOURS;
  const { resumed } = await job.step(async (tx, { begun }) => {
    const isResumed = begun === true && !dryRun;
    if (!isResumed) await deleteLines(tx, id);
    if (agent?.kind === 'job') await noteJob(tx, id, agent.id, hours);
    return { checkpoint: BEGUN, done: 0, total: 0, resumed: isResumed };
  });
  return { job, id, lines: new ReportLines(), dryRun, resumed, done: 0, total: 0 };
}

/** Imports a site that a reader reads. Returns the report, which may need the lines that are stored. */
async function importRead(
  run: Running,
  { place, reader }: { place: string; reader: SiteReader },
  options: ImportChoices,
): Promise<(tx: Transaction) => Promise<Report>> {
  const { importSite } = await import('../import-site.ts');
  const summary = await importSite(run.job.kernel, {
    ...{ directory: place, reader, dryRun: run.dryRun },
    ...{ strict: options.strict, textAsBlocks: options.textAsBlocks, siteRoot: options.siteRoot, again: options.again },
    progress: progressOf(run),
    scope: stepScope(run),
    onProblem: (problem) => run.lines.problem(problem),
  });
  if (summary.again) run.lines.differences(summary.again);
  return async (tx) => reportOf(summary, run.resumed ? await countReasons(tx, run.id) : summary.reasons, run);
}

/** Brings back an export that this server has made. */
async function importOwn(run: Running, own: OwnExport, options: ImportChoices): Promise<() => Promise<Report>> {
  const { importOwnExport } = await import('../../site-export/restore/import-export.ts');
  const summary = await importOwnExport(run.job.kernel, own, {
    ...{ path: options.path, replace: options.replace, strict: options.strict, dryRun: run.dryRun },
    progress: progressOf(run),
  });
  for (const message of summary.left) run.lines.sentence('lost', message);
  for (const message of summary.added) run.lines.sentence('added', message);
  return async () => reportOfOwn(summary, run);
}

/** Unpacks an archive; a file of another kind is the export itself. */
async function unpacked(copied: CopiedFile, kind: FileKind, signal: AbortSignal): Promise<CopiedPlace> {
  if (kind !== 'zip' && kind !== 'tar.gz') return { place: copied.file, isUnpacked: false, remove: copied.remove };
  const { unpack } = await import('../../site-export/restore/unpack.ts');
  const { folder, remove } = await unpack(copied.file, { signal, endsInOrder: true });
  await copied.remove();
  return { place: folder, isUnpacked: true, remove };
}

/** Imports a place on the disk of this process. */
async function importPlace(run: Running, { place, isUnpacked }: CopiedPlace, options: ImportChoices) {
  const { slots } = run.job.kernel;
  const context = { features: slots.get(KERNEL_FEATURES), loadPackage: slots.get(PACKAGE_LOADER) };
  const found = await findExport(place, { named: options.reader, isUnpacked }, context);
  const problem = misfit(options, 'own' in found);
  if (problem !== undefined) throw new BadRequest(problem);
  return 'own' in found ? importOwn(run, found.own, options) : importRead(run, found, options);
}

/** The error of an import for its user: a refusal names the uploaded file, and no place on the disk of the server. */
function errorFor(error: unknown, filename: string, places: readonly string[]): unknown {
  if (!(error instanceof ExportRefused) && !(error instanceof BadRequest)) return error;
  const message = places.reduce((text, place) => text.replaceAll(place, filename), error.message);
  return new BadRequest(withoutOptions(message));
}

/** Stores the report, and forgets the file once it is imported. */
async function finish(run: Running, makeReport: (tx: Transaction) => Promise<Report>): Promise<Report> {
  const { job, id } = run;
  const { kernel, caller } = job;
  const { report, blob } = await inStep(run, async (tx) => {
    const stored = await findExportRow(tx, id, true);
    const made = await makeReport(tx);
    await storeReport(tx, id, storedReport(made));
    const isDone = !made.dry_run && !made.refused;
    if (isDone) {
      await forgetFile(tx, id);
      const change = { part: 'import', id, change: 'imported', names: stored ? [stored.filename] : [] };
      await kernel.events.emit('site.changed', change, { tx, caller });
    }
    return { report: made, blob: isDone ? stored?.blob : null };
  });
  if (typeof blob === 'string') await kernel.blobs.remove(blob);
  return report;
}

/** Imports an uploaded export, in the name and with the present rights of its user. An interrupted import goes on where it stopped. */
export const importAction: JobAction = {
  name: IMPORT_ACTION,
  title: 'Import an export',
  description: 'Imports an export that was uploaded to @imports.',
  schema: SCHEMA,
  exclusive: true,
  check: problemsOfJob,
  async run(job) {
    await requireManager(job, 'Only Managers of the site import exports.');
    const { kernel, params, signal } = job;
    const id = String(params.import);
    const stored = isUuid(id) ? await findExportRow(kernel.db, id) : undefined;
    if (!stored) throw new NotFound(`/@imports/${id}`, 'There is no uploaded export with this id.');
    const { blob, kind, filename } = stored;
    if (blob === null) throw new Conflict('The file is no longer stored. Upload the export again.');
    const choices = choicesOfJob(params);
    const run = await begin(job, id, choices.dryRun);
    await removeLeftOvers();
    const places: string[] = [];
    try {
      const copied = await copyFile(kernel, { ...stored, blob }, signal);
      places.push(copied.file);
      const ready = await unpacked(copied, kind, signal).catch(async (error: unknown) => {
        await copied.remove();
        throw error;
      });
      places.unshift(ready.place);
      const makeReport = await importPlace(run, ready, choices).finally(() => ready.remove());
      const { refused, dry_run } = await finish(run, makeReport);
      return { import: id, dry_run, refused };
    } catch (error) {
      signal.throwIfAborted();
      throw errorFor(error, filename, places);
    }
  },
};
