import { type TSchemaOptions, Type } from 'typebox';
import {
  batching,
  defineService,
  downloads,
  isStoredFile,
  locateForWrite,
  MODIFY,
  noContent,
  ok,
  type RequestContext,
  requirePermission,
  schemas,
  type Transaction,
  urlOf,
} from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import { parseBoolean, parseInteger } from '#lib/schema/parse-text';
import { exportSubmissions } from './export.ts';
import { type Form, findForm } from './form-block.ts';
import {
  deleteSubmission,
  deleteSubmissions,
  findSubmission,
  hasSubmissions,
  listSubmissions,
  type Submission,
} from './statements/submissions.ts';
import { SubmissionBody, submissionJson } from './submission-json.ts';

/**
 * A truth value, or a word for one, which old clients of Plone send: `1`, `"1"`, `"on"`, `"true"` … `run` gets a boolean.
 */
const LenientBoolean = (options: TSchemaOptions) =>
  Type.Decode(
    Type.Refine(
      Type.Union([Type.Boolean(), Type.Integer(), Type.String()], { message: 'must be true or false', ...options }),
      (value) => typeof value === 'boolean' || parseBoolean(String(value)) !== undefined,
    ),
    (value) => (typeof value === 'boolean' ? value : parseBoolean(String(value)) === true),
  );

const MAX_BLOCK_ID = 200;
const BlockId = (description: string) => schemas.Text({ description, minLength: 1, maxLength: MAX_BLOCK_ID });

type Page = Pick<RequestContext, 'db' | 'site' | 'resolved'>;

const urlOfData = ({ base, resolved }: Pick<RequestContext, 'base' | 'resolved'>): string =>
  `${urlOf(base, resolved.object.path)}/@form-data`;

/** The form of a block; undefined for a removed block with stored submissions. Throws BadRequest when there is neither a form nor a submission. */
async function formOf({ db, site, resolved }: Page, block: string): Promise<Form | undefined> {
  const form = findForm(site, resolved.object, block);
  if (!form && !(await hasSubmissions(db, resolved.object.oid, block)))
    throw new BadRequest('This page has no form with this block_id.');
  return form;
}

/** The submission with an id from an address. Throws NotFound. */
async function requireSubmission({ db, resolved, rest }: RequestContext, record: string): Promise<Submission> {
  const id = parseInteger(record);
  const submission = id === undefined ? undefined : await findSubmission(db, resolved.object.oid, id);
  if (!submission) throw new NotFound([resolved.object.path, '@form-data', ...rest].join('/'));
  return submission;
}

/**
 * Runs a removal while the page is locked, so that it stays and the caller keeps the right to change it. Throws NotFound, Unauthorized or Forbidden.
 */
function remove<T>(
  { kernel, caller, resolved }: Pick<RequestContext, 'kernel' | 'caller' | 'resolved'>,
  work: (tx: Transaction, content: number) => Promise<T>,
): Promise<T> {
  const { path } = resolved.object;
  return kernel.db.transaction(async (tx) => {
    const now = await locateForWrite(kernel, path, tx, 'add-inside');
    if (!now.resolved) throw new NotFound(path);
    requirePermission(now.site, caller, now.resolved, MODIFY);
    const change = { part: 'form-data', id: '', change: 'removed', path };
    await kernel.events.emit('site.changed', change, { tx, caller });
    return work(tx, now.resolved.object.oid);
  });
}

/** GET `@form-data`: the submissions of a form, the newest first. */
export const getFormData = defineService({
  name: '@form-data',
  method: 'GET',
  context: 'content',
  permission: MODIFY,
  summary: 'Lists what was sent with a form block, the newest first, for those who may change the page.',
  query: Type.Object({
    block_id: Type.String({
      description: 'The id of the block.',
      minLength: 1,
      message: { required: 'The block_id is required.' },
    }),
    ...batching.Query('submissions', { size: 500, most: 1000 }),
  }),
  responses: {
    200: {
      description: 'The values by their fields, each submission with its time and its address.',
      schema: Type.Object({
        ...batching.BatchOf(SubmissionBody).properties,
        expired_total: Type.Integer({ description: 'How many are older than the block says.' }),
      }),
    },
    400: { description: 'The page has no form with this block_id.' },
  },
  async run(context) {
    const { db, resolved, query, searchParams } = context;
    const form = await formOf(context, query.block_id);
    const batch = batching.of(query, searchParams);
    const { items, total, expired } = await listSubmissions(
      db,
      { content: resolved.object.oid, block: query.block_id },
      { ...batch, days: form?.days },
    );
    const url = urlOfData(context);
    return ok({
      '@id': url,
      items: items.map((item) => submissionJson(item, url, form?.hasSchema ?? true)),
      items_total: total,
      expired_total: expired,
      ...batching.linksOf(url, batch, total),
    });
  },
});

/** GET `@form-data/<submission>/<field>[/<number>]`: a submitted file, for users who may change the page. */
export const getFormFile = defineService({
  name: '@form-data',
  method: 'GET',
  context: 'content',
  permission: MODIFY,
  summary: 'Downloads a file that was sent with a form.',
  rest: ['{record}/{field}', '{record}/{field}/{number}'],
  responses: {
    200: { description: 'The bytes of the file.', contentType: 'application/octet-stream' },
    404: { description: 'There is no such submission, or no file in it.' },
  },
  async run(context) {
    const { kernel, params, resolved, rest } = context;
    const { data } = await requireSubmission(context, params.record);
    const files = Object.hasOwn(data, params.field) ? data[params.field] : undefined;
    const file: unknown = Array.isArray(files) ? files[parseInteger(params.number ?? '0') ?? -1] : undefined;
    if (!isStoredFile(file)) throw new NotFound([resolved.object.path, '@form-data', ...rest].join('/'));
    return downloads.privateFile(kernel, file, { inline: false });
  },
});

/** DELETE `@form-data/<submission>`: removes one submission. */
export const deleteFormRecord = defineService({
  name: '@form-data',
  method: 'DELETE',
  context: 'content',
  permission: MODIFY,
  summary: 'Removes one thing that was sent with a form.',
  rest: ['{record}'],
  responses: { 204: { description: 'Removed.' }, 404: { description: 'There is no such submission.' } },
  async run(context) {
    const { id } = await requireSubmission(context, context.params.record);
    const removed = await remove(context, (tx, content) => deleteSubmission(tx, content, id));
    if (!removed) throw new NotFound([context.resolved.object.path, '@form-data', ...context.rest].join('/'));
    return noContent();
  },
});

/** DELETE `@form-data-clear`: removes the submissions of a form, or only expired ones (collective.volto.formsupport). */
export const deleteFormData = defineService({
  name: '@form-data-clear',
  method: 'DELETE',
  context: 'content',
  permission: MODIFY,
  summary: 'Removes what was sent with one form block, or with all of the page.',
  tag: 'form-data',
  body: Type.Object(
    {
      block_id: Type.Optional(
        schemas.Nullable(
          Type.Union([BlockId('The id of the block; without one all blocks of the page.'), Type.Literal('')]),
        ),
      ),
      expired: Type.Optional(
        schemas.Nullable(
          LenientBoolean({ description: 'Only what is older than the block says; needs the `block_id`.' }),
        ),
      ),
    },
    { examples: [{ block_id: 'c1d2', expired: true }] },
  ),
  responses: { 204: { description: 'Removed.' }, 400: { description: 'The page has no form with this block_id.' } },
  async run(context) {
    const { block_id: named, expired } = context.body;
    const block = named === undefined || named === '' ? null : named;
    const form = block === null ? undefined : await formOf(context, block);
    if (expired && block === null) throw new BadRequest('The block_id is required with expired.');
    // Submissions without a retention period never expire.
    if (expired && form?.days === undefined) return noContent();
    await remove(context, (tx, content) => deleteSubmissions(tx, { content, block }, expired ? form?.days : undefined));
    return noContent();
  },
});

/** GET `@form-data-export`: the submissions as CSV (collective.volto.formsupport). */
export const getFormExport = defineService({
  name: '@form-data-export',
  method: 'GET',
  context: 'content',
  permission: MODIFY,
  summary: 'Exports what was sent with a form block as CSV, or with all of the page.',
  tag: 'form-data',
  query: Type.Object({ block_id: Type.Optional(Type.String({ description: 'The id of the block.' })) }),
  responses: {
    200: { description: 'A line for each submission, the newest first.', contentType: 'text/csv' },
    400: { description: 'The page has no form with this block_id.' },
  },
  async run(context) {
    const { kernel, db, resolved, query } = context;
    const block = query.block_id ?? null;
    const form = block === null ? undefined : await formOf(context, block);
    return downloads.csvResponse(kernel.log, `${resolved.object.name || 'form'}-data.csv`, () =>
      exportSubmissions(db, { content: resolved.object.oid, block }, form),
    );
  },
});
