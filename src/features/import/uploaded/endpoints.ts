import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import {
  batching,
  created,
  defineService,
  noContent,
  ok,
  panelSettings,
  panels,
  type Queryable,
  type RequestContext,
  requests,
  schemas,
  siteSettings,
  storedFiles,
  type Transaction,
} from '#core';
import { Conflict, NotFound, PayloadTooLarge, TooManyRequests, UnsupportedMediaType } from '#lib/errors';
import { isUuid } from '#lib/text/uuid';
import { jobUrl } from '../../jobs/job-json.ts';
import { enqueueJob } from '../../jobs/queue.ts';
import { findJob, findJobs, type Job } from '../../jobs/statements/jobs.ts';
import { FOR_MANAGERS } from '../../site-export/managers.ts';
import {
  countStored,
  deleteExport,
  findExportRow,
  insertExport,
  isBusy,
  listExports,
  lockStored,
  noteJob,
  type UploadedExport,
} from '../statements/uploaded.ts';
import { IMPORT_ACTION } from './import-job.ts';
import { ImportBody, importJson, importUrl } from './import-json.ts';
import { choicesOf, problemsOf, StartBody } from './import-options.ts';
import { kindOf, storeFile } from './receive-export.ts';

/** Maximum number of uploaded exports whose files are stored; each may be as large as the largest file of the site. */
const MAX_STORED = 10;
/** Seconds after which a client with too many uploads may try again. */
const RETRY_SECONDS = 60;

const BODY_TYPE = 'application/octet-stream';

const ONE = { name: '@imports', ...FOR_MANAGERS } as const;

const REJECTED = {
  401: { description: 'The caller is not logged in.' },
  403: { description: 'The caller is no Manager of the site.' },
};
const NO_IMPORT = { description: 'There is no such uploaded export.' };

const emitChange = (
  { kernel, caller }: Pick<RequestContext, 'kernel' | 'caller'>,
  tx: Transaction,
  { id, filename }: Pick<UploadedExport, 'id' | 'filename'>,
  change: string,
): Promise<void> =>
  kernel.events.emit('site.changed', { part: 'import', id, change, names: [filename] }, { tx, caller });

/** The uploaded export in the address; `lockMode` locks it until the transaction `db` ends. Throws NotFound. */
export async function requireExport(db: Queryable, id: string, lockMode = false): Promise<UploadedExport> {
  const found = isUuid(id) ? await findExportRow(db, id, lockMode) : undefined;
  if (!found) throw new NotFound(`/@imports/${id}`, 'There is no uploaded export with this id.');
  return found;
}

const jobOf = async (db: Queryable, { job }: UploadedExport): Promise<Job | undefined> =>
  job === null ? undefined : findJob(db, job, { actor: undefined, lockMode: false });

const full = (): TooManyRequests =>
  new TooManyRequests(`There are ${MAX_STORED} uploaded exports. Remove some of them.`, RETRY_SECONDS);

/** Throws UnsupportedMediaType for a body of another type, and for a compressed one. */
function requireBytes(context: RequestContext): void {
  const type = requests.headerOf(context, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== BODY_TYPE) throw new UnsupportedMediaType((type ?? 'a body without a type').slice(0, 100));
  const encoding = requests.headerOf(context, 'content-encoding');
  if (encoding !== undefined && encoding !== 'identity')
    throw new UnsupportedMediaType(`${BODY_TYPE} encoded as ${encoding.slice(0, 100)}`);
}

/** POST `@imports`: takes the file of an export. */
const postImport = defineService({
  ...ONE,
  method: 'POST',
  summary: 'Takes the file of an export, which is imported later. The body is the file.',
  streams: BODY_TYPE,
  query: Type.Object({
    filename: schemas.Text({
      description: 'The name of the file, which ends with `.zip`, `.tar.gz`, `.tgz`, `.json` or `.xml`.',
      minLength: 1,
      maxLength: 255,
    }),
  }),
  responses: {
    ...REJECTED,
    201: {
      description: 'The file is stored.',
      schema: ImportBody,
      headers: { Location: { description: 'Address of the uploaded export.' } },
    },
    400: { description: 'The file is of another kind, is empty or was cut off.' },
    413: { description: 'The file is larger than the site allows.' },
    415: { description: `The body is not ${BODY_TYPE}.` },
    429: { description: 'There are too many uploaded exports.' },
  },
  async run(context) {
    const { kernel, site, caller, base, query, stream } = context;
    const filename = storedFiles.cleanName(query.filename);
    const kind = kindOf(filename);
    requireBytes(context);
    const maxBytes = siteSettings.maxUploadBytes(site);
    if (Number(requests.headerOf(context, 'content-length') ?? 0) > maxBytes) throw new PayloadTooLarge(maxBytes);
    if ((await countStored(kernel.db)) >= MAX_STORED) throw full();
    const file = await storeFile(kernel, stream, { kind, maxBytes });
    const row = { id: randomUUID(), actor: caller.id ?? '', filename, kind, ...file };
    const { expire_hours: hours } = panelSettings(site, panels.uploads);
    try {
      const stored = await kernel.db.transaction(async (tx) => {
        await lockStored(tx);
        if ((await countStored(tx)) >= MAX_STORED) throw full();
        await emitChange(context, tx, row, 'uploaded');
        return insertExport(tx, row, hours);
      });
      return created(importJson(base, stored, undefined), { Location: importUrl(base, row.id) });
    } catch (error) {
      await kernel.blobs.remove(file.blob);
      throw error;
    }
  },
});

/** GET `@imports`: the uploaded exports. */
const getImports = defineService({
  ...ONE,
  method: 'GET',
  summary: 'Lists the uploaded exports, the newest first, with their last jobs and reports.',
  query: Type.Object(batching.Query('uploaded exports', { size: 25, most: 100 })),
  responses: { ...REJECTED, 200: { description: 'A batch of them.', schema: batching.BatchOf(ImportBody) } },
  async run({ db, base, query, searchParams }) {
    const part = batching.of(query, searchParams);
    const rows = await listExports(db, part);
    const jobs = await findJobs(
      db,
      rows.flatMap(({ job }) => job ?? []),
    );
    const items = rows.map((row) => importJson(base, row, jobs.get(row.job ?? '')));
    const total = rows[0]?.total ?? 0;
    const url = `${base}/@imports`;
    return ok({ '@id': url, items, items_total: total, ...batching.linksOf(url, part, total) });
  },
});

/** GET `@imports/<id>`: an uploaded export. */
const getImport = defineService({
  ...ONE,
  method: 'GET',
  summary: 'An uploaded export, with its last job and the report of the last one that came to its end.',
  rest: ['{id}'],
  responses: { ...REJECTED, 200: { description: 'The uploaded export.', schema: ImportBody }, 404: NO_IMPORT },
  async run({ db, base, params }) {
    const stored = await requireExport(db, params.id);
    return ok(importJson(base, stored, await jobOf(db, stored)));
  },
});

/** POST `@imports/<id>/start`: has a job import it, or try to. */
const startImport = defineService({
  ...ONE,
  method: 'POST',
  summary: 'Has a job import an uploaded export, or say what that would do.',
  rest: ['{id}/start'],
  alone: 'An import is many transactions of its own.',
  body: StartBody,
  check: (_context, { body }) => problemsOf(choicesOf(body)),
  responses: {
    ...REJECTED,
    202: {
      description: 'The job waits.',
      schema: ImportBody,
      headers: { Location: { description: 'Address of the job.' } },
    },
    400: { description: 'The choices do not go together.' },
    404: NO_IMPORT,
    409: { description: 'A job of it waits or runs, or its file is gone.' },
    429: { description: 'Too many jobs wait.' },
  },
  async run(context) {
    const { kernel, site, base, caller, params, body } = context;
    const { expire_hours: hours } = panelSettings(site, panels.uploads);
    const id = await kernel.db.transaction(async (tx) => {
      const stored = await requireExport(tx, params.id, true);
      if (stored.blob === null) throw new Conflict('The file is no longer stored. Upload the export again.');
      if (await isBusy(tx, stored.id))
        throw new Conflict('A job of this import waits or runs. Wait for its end, or abort it.');
      const job = await enqueueJob(kernel, tx, {
        ...{ action: IMPORT_ACTION, params: { import: stored.id, choices: body }, actor: caller.id, asSystem: false },
        ...{ scheduledJob: null, title: `Import ${stored.filename}`, description: '' },
      });
      await noteJob(tx, stored.id, job, hours);
      await emitChange(context, tx, stored, body.dry_run === true ? 'tried' : 'started');
      return job;
    });
    const stored = await requireExport(kernel.db, params.id);
    const job = await jobOf(kernel.db, stored);
    return { status: 202, headers: { Location: jobUrl(base, id) }, body: importJson(base, stored, job) };
  },
});

/** DELETE `@imports/<id>`: removes an uploaded export. */
const deleteImport = defineService({
  ...ONE,
  method: 'DELETE',
  summary: 'Removes an uploaded export with its file and its report. What was imported stays.',
  rest: ['{id}'],
  alone: 'The file of an uploaded export is no part of the database.',
  responses: {
    ...REJECTED,
    204: { description: 'Removed.' },
    404: NO_IMPORT,
    409: { description: 'A job of it waits or runs: abort it first.' },
  },
  async run(context) {
    const { kernel, params } = context;
    const { blob } = await kernel.db.transaction(async (tx) => {
      const stored = await requireExport(tx, params.id, true);
      if (await isBusy(tx, stored.id))
        throw new Conflict('A job of this import waits or runs. Wait for its end, or abort it.');
      await deleteExport(tx, stored.id);
      await emitChange(context, tx, stored, 'removed');
      return stored;
    });
    if (blob !== null) await kernel.blobs.remove(blob);
    return noContent();
  },
});

export const IMPORT_SERVICES = [postImport, getImports, getImport, startImport, deleteImport] as const;
