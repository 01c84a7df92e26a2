import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import {
  batching,
  defineService,
  downloads,
  noContent,
  ok,
  type Queryable,
  type RequestContext,
  requests,
  schemas,
  type Transaction,
} from '#core';
import { BadRequest, Conflict, NotFound, TooManyRequests } from '#lib/errors';
import { contentDisposition, etagMatches } from '#lib/http/http-headers';
import { isUuid } from '#lib/text/uuid';
import { enqueueJob } from '../../jobs/queue.ts';
import { findJob, findJobs, type Job } from '../../jobs/statements/jobs.ts';
import { normalPath } from '../format.ts';
import { FOR_MANAGERS } from '../managers.ts';
import { openPrivately } from '../private-blob.ts';
import { MIN_PASSPHRASE } from '../secrets.ts';
import {
  countLocked,
  deleteMade,
  findMade,
  insertMade,
  isBusy,
  listMade,
  type MadeExport,
} from '../statements/made.ts';
import { objectAt } from '../statements/rows.ts';
import { EXPORT_ACTION, sealPassphrase } from './export-job.ts';
import { ExportBody, exportJson, exportUrl, filenameOf } from './export-json.ts';

/** Maximum number of exports, made or not; each may be as large as the site. One is made at a time. */
const MAX_EXPORTS = 10;
/** Seconds after which a client may try again when there are too many. */
const RETRY_SECONDS = 60;

const ONE = { name: '@exports', ...FOR_MANAGERS } as const;

const REJECTED = {
  401: { description: 'The caller is not logged in.' },
  403: { description: 'The caller is no Manager of the site.' },
};
const NO_EXPORT = { description: 'There is no such export.' };
const ZIP = 'application/zip';

const emitChange = (
  { kernel, caller }: Pick<RequestContext, 'kernel' | 'caller'>,
  tx: Transaction,
  { id, path }: Pick<MadeExport, 'id' | 'path'>,
  change: string,
): Promise<void> => kernel.events.emit('site.changed', { part: 'export', id, change, names: [path] }, { tx, caller });

/** The export in the address; `lockMode` locks it until the transaction `db` ends. Throws NotFound. */
async function requireMade(db: Queryable, id: string, lockMode = false): Promise<MadeExport> {
  const found = isUuid(id) ? await findMade(db, id, lockMode) : undefined;
  if (!found) throw new NotFound(`/@exports/${id}`, 'There is no export with this id.');
  return found;
}

const jobOf = async (db: Queryable, { job }: MadeExport): Promise<Job | undefined> =>
  job === null ? undefined : findJob(db, job, { actor: undefined, lockMode: false });

/** POST `@exports`: has a job export the site, or a part of it. */
const postExport = defineService({
  ...ONE,
  method: 'POST',
  summary: 'Has a job export the site, or a part of it.',
  alone: 'An export is the site at a moment of its own.',
  body: Type.Object(
    {
      path: Type.Optional(
        schemas.Text({ maxLength: 2000, description: 'Exports only what is at and below a path, without users.' }),
      ),
      passphrase: Type.Optional(
        schemas.Text({
          minLength: MIN_PASSPHRASE,
          maxLength: 1000,
          description:
            'Encrypts secrets, such as passwords of servers, and takes them along. They are left out without it.',
        }),
      ),
    },
    { examples: [{ path: '/news' }] },
  ),
  responses: {
    ...REJECTED,
    202: {
      description: 'The job waits.',
      schema: ExportBody,
      headers: { Location: { description: 'Address of the export.' } },
    },
    400: { description: 'There is nothing at the path, or the passphrase is too short.' },
    429: { description: 'There are too many exports, or too many jobs wait.' },
  },
  async run(context) {
    const { kernel, base, caller, body } = context;
    const id = randomUUID();
    const path = normalPath(body.path ?? '/');
    if (!(await objectAt(kernel.db, path)))
      throw new BadRequest(`There is nothing at ${path}. Name the path of content as in its address.`);
    const passphrase = body.passphrase === undefined ? null : await sealPassphrase(kernel, id, body.passphrase);
    await kernel.db.transaction(async (tx) => {
      if ((await countLocked(tx)) >= MAX_EXPORTS)
        throw new TooManyRequests(`There are ${MAX_EXPORTS} exports. Remove some of them.`, RETRY_SECONDS);
      const job = await enqueueJob(kernel, tx, {
        ...{ action: EXPORT_ACTION, params: { export: id }, actor: caller.id, asSystem: false },
        ...{ scheduledJob: null, title: path === '/' ? 'Export the site' : `Export ${path}`, description: '' },
      });
      await insertMade(tx, { id, actor: caller.id ?? '', path, passphrase, job });
      await emitChange(context, tx, { id, path }, 'begun');
    });
    const made = await requireMade(kernel.db, id);
    const json = exportJson(base, made, await jobOf(kernel.db, made));
    return { status: 202, headers: { Location: exportUrl(base, id) }, body: json };
  },
});

/** GET `@exports`: the exports. */
const getExports = defineService({
  ...ONE,
  method: 'GET',
  summary: 'Lists the exports of the site, the newest first, with their jobs and reports.',
  query: Type.Object(batching.Query('exports', { size: 25, most: 100 })),
  responses: { ...REJECTED, 200: { description: 'A batch of them.', schema: batching.BatchOf(ExportBody) } },
  async run({ db, base, query, searchParams }) {
    const part = batching.of(query, searchParams);
    const rows = await listMade(db, part);
    const jobs = await findJobs(
      db,
      rows.flatMap(({ job }) => job ?? []),
    );
    const items = rows.map((row) => exportJson(base, row, jobs.get(row.job ?? '')));
    const total = rows[0]?.total ?? 0;
    const url = `${base}/@exports`;
    return ok({ '@id': url, items, items_total: total, ...batching.linksOf(url, part, total) });
  },
});

/** GET `@exports/<id>`: an export. */
const getExport = defineService({
  ...ONE,
  method: 'GET',
  summary: 'An export with its job, and its report once it is made.',
  rest: ['{id}'],
  responses: { ...REJECTED, 200: { description: 'The export.', schema: ExportBody }, 404: NO_EXPORT },
  async run({ db, base, params }) {
    const made = await requireMade(db, params.id);
    return ok(exportJson(base, made, await jobOf(db, made)));
  },
});

/** GET `@exports/<id>/file`: the file of an export. */
const getExportFile = defineService({
  ...ONE,
  method: 'GET',
  summary: 'Downloads the file of an export, which goes on after an interruption by the header Range.',
  rest: ['{id}/file'],
  responses: {
    ...REJECTED,
    200: { description: 'The archive.', contentType: ZIP },
    206: { description: 'The part of the archive that the header Range names.', contentType: ZIP },
    304: { description: 'The client has these bytes already (If-None-Match).' },
    404: { description: 'There is no such export, or it is not made yet.' },
    416: { description: 'The range lies outside the file.' },
  },
  async run(context) {
    const { kernel, db, params } = context;
    const made = await requireMade(db, params.id);
    const { id, blob, bytes } = made;
    if (blob === null || bytes === null)
      throw new NotFound(`/@exports/${id}/file`, 'The export is not made. Its job says how far it is.');
    const etag = `"${id}"`;
    const shared = { ETag: etag, 'Cache-Control': 'private, no-store' };
    if (etagMatches(requests.headerOf(context, 'if-none-match'), etag)) return { status: 304, headers: shared };
    const { status, headers, part } = downloads.requestedPart(context, etag, bytes);
    return {
      status,
      headers: { ...shared, ...headers, 'Content-Disposition': contentDisposition('attachment', filenameOf(made)) },
      contentType: ZIP,
      stream: downloads.loggedStream(kernel.log, () => openPrivately(kernel, { blob, bytes }, part)),
    };
  },
});

/** DELETE `@exports/<id>`: removes an export. */
const deleteExport = defineService({
  ...ONE,
  method: 'DELETE',
  summary: 'Removes an export with its file.',
  rest: ['{id}'],
  alone: 'The file of an export is no part of the database.',
  responses: {
    ...REJECTED,
    204: { description: 'Removed.' },
    404: NO_EXPORT,
    409: { description: 'Its job waits or runs: abort it first.' },
  },
  async run(context) {
    const { kernel, params } = context;
    const { blob } = await kernel.db.transaction(async (tx) => {
      const made = await requireMade(tx, params.id, true);
      if (await isBusy(tx, made.id))
        throw new Conflict('The job of this export waits or runs. Wait for its end, or abort it.');
      await deleteMade(tx, made.id);
      await emitChange(context, tx, made, 'removed');
      return made;
    });
    if (blob !== null) await kernel.blobs.remove(blob);
    return noContent();
  },
});

export const EXPORT_SERVICES = [postExport, getExports, getExport, getExportFile, deleteExport] as const;
