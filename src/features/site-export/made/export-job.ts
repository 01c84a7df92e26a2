import { type JobAction, type Kernel, secretBox } from '#core';
import { BadRequest, Conflict, NotFound } from '#lib/errors';
import type { Progress } from '#lib/process/progress';
import { isUuid } from '#lib/text/uuid';
import { exportSite } from '../export-site.ts';
import { ExportRefused } from '../format.ts';
import { requireManager } from '../managers.ts';
import { findMade, type MadeExport, storeMade } from '../statements/made.ts';
import { openBlobTarget } from '../target/blob-target.ts';
import { storedReport } from './export-json.ts';
import { withSnapshot } from './snapshot.ts';

export const EXPORT_ACTION = 'export';

/** The place that a passphrase is sealed for. */
const placeOf = (id: string): string => `site-export:${id}`;

type Sealing = Pick<Kernel, 'db' | 'config'>;

const boxOf = ({ db, config }: Sealing): Promise<secretBox.Box> => secretBox.open(db, config.secretsKeys);

/** Seals the passphrase of an export, so that the table does not have it in clear. */
export const sealPassphrase = async (kernel: Sealing, id: string, passphrase: string): Promise<string> =>
  (await boxOf(kernel)).seal(passphrase, placeOf(id));

async function passphraseOf(kernel: Sealing, { id, passphrase }: MadeExport): Promise<string | undefined> {
  return passphrase === null ? undefined : (await boxOf(kernel)).open(passphrase, placeOf(id));
}

type Job = Parameters<JobAction['run']>[0];

/** The export that a job was made for: each has one job, which may begin again after the end of its process. */
async function requireMade({ kernel, params, caller }: Job): Promise<MadeExport> {
  const id = String(params.export);
  const made = isUuid(id) ? await findMade(kernel.db, id) : undefined;
  if (!made) throw new NotFound(`/@exports/${id}`, 'There is no export with this id.');
  if (made.blob !== null || caller.agent?.kind !== 'job' || made.job !== caller.agent.id)
    throw new Conflict('This export has a job already. Begin another one with POST @exports.');
  return made;
}

/** Shows the progress of an export as that of its job, and ends the export when the job is aborted. */
const progressOf =
  ({ signal, progress }: Job) =>
  (total: number): Progress => {
    let done = 0;
    return {
      tick(count = 1) {
        signal.throwIfAborted();
        done += count;
        progress(done, Math.max(total, done));
      },
      done() {},
    };
  };

/** The error of an export for its user. */
function errorFor(error: unknown): unknown {
  if (error instanceof ExportRefused) return new BadRequest(error.message);
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
    return new Conflict('The disk of the server has no room for the export. Remove older exports, or make room.');
  return error;
}

/** Makes an export, in the name and with the present rights of its user. An interrupted one begins anew: it is the site at one moment. */
export const exportAction: JobAction = {
  name: EXPORT_ACTION,
  title: 'Export the site',
  description: 'Makes an export that was begun by POST @exports.',
  schema: {
    fieldsets: [{ id: 'default', title: 'Default', fields: ['export'] }],
    properties: {
      export: {
        title: 'Export',
        description: 'The id of the export.',
        type: 'string',
        factory: 'Text line (String)',
      },
    },
    required: ['export'],
  },
  exclusive: true,
  async run(job) {
    const { kernel, signal } = job;
    await requireManager(job, 'Only Managers of the site export it.');
    const made = await requireMade(job);
    const passphrase = await passphraseOf(kernel, made);
    const target = openBlobTarget(kernel, signal);
    try {
      const summary = await withSnapshot(kernel, (from) =>
        exportSite(from, { target, path: made.path, passphrase, progress: progressOf(job) }),
      );
      const report = storedReport(summary);
      await keepFile(job, made.id, { ...target.stored(), report });
      return { export: made.id, objects: summary.objects, files: summary.files };
    } catch (error) {
      // The copy of the database may have failed before the export began to write.
      await target.discard();
      signal.throwIfAborted();
      throw errorFor(error);
    }
  },
};

/** Stores the file of an export, unless the export is gone, or another process has taken its job over: then the file is removed. */
async function keepFile(
  { kernel, signal, step }: Job,
  id: string,
  file: Parameters<typeof storeMade>[2],
): Promise<void> {
  try {
    await step(async (tx) => {
      if (!(await storeMade(tx, id, file))) throw new NotFound(`/@exports/${id}`, 'The export was removed meanwhile.');
      return { checkpoint: {}, done: Number(file.report.objects), total: Number(file.report.objects) };
    });
  } catch (error) {
    // A cancelled step is rolled back. A commit whose confirmation was lost has stored the file all the same.
    const isStored = error !== signal.reason && (await findMade(kernel.db, id))?.blob === file.blob;
    if (!isStored) await kernel.blobs.remove(file.blob);
    throw error;
  }
}
