import {
  type Caller,
  type Kernel,
  locateForWrite,
  mailing,
  panelSettings,
  type ResolvedNode,
  requestLimits,
  requests,
  requirePermission,
  type Site,
  type StoredFile,
  siteAddress,
  type Transaction,
  VIEW,
} from '#core';
import { BadRequest, NotFound, TooManyRequests, ValidationFailed } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { HOUR_MS } from '#lib/time/milliseconds';
import { requirePerson, requireProvider } from './captcha.ts';
import { type Form, findForm } from './form-block.ts';
import { confirmedAddresses, formMails } from './form-mail.ts';
import { formPanel } from './panel.ts';
import { deleteSubmissions, insertSubmission, type SentField } from './statements/submissions.ts';
import { parseUploads, storeUploads, type Upload } from './uploads.ts';
import { checkValues, type FormValue, pairsOf } from './values.ts';
import { useCodes, verifyAddresses } from './verify-addresses.ts';

/** A request that submits a form, unchecked. */
export type FormRequest = {
  kernel: Kernel;
  caller: Caller;
  clientAddress: string;
  /** The site and the page as the request found them. */
  site: Site;
  resolved: ResolvedNode;
  block: string;
  data: unknown;
  attachments: unknown;
  captcha: unknown;
};

const MEGABYTE = 1024 * 1024;
/** Maximum number of mails in an hour to an address that visitors enter into forms. */
const MAX_CONFIRMATIONS = 10;

/** The form of a block. Throws BadRequest when the page has no such form. */
function requireForm(site: Site, { object }: Pick<ResolvedNode, 'object'>, id: string): Form {
  const form = findForm(site, object, id);
  if (!form) throw new BadRequest('This page has no form with this block_id.');
  return form;
}

/** The limit of a form: by network and page. */
const limitOf = (site: Site, oid: number, clientAddress: string) => ({
  request: {
    kind: 'form',
    sender: `${oid} ${requests.networkOf(clientAddress)}`,
    at: new Date(),
    since: new Date(Date.now() - HOUR_MS),
  },
  limit: panelSettings(site, formPanel).submissions_per_hour,
});

/** Throws TooManyRequests when forms of the page were sent too often from the network, before the next submission is read. */
export async function requireRoom({
  kernel,
  site,
  resolved,
  clientAddress,
}: Pick<FormRequest, 'kernel' | 'site' | 'resolved' | 'clientAddress'>): Promise<void> {
  const { request, limit } = limitOf(site, resolved.object.oid, clientAddress);
  if (await requestLimits.hasReached(kernel.db, request, limit)) rejectMany();
}

/** Maximum size of all files of one submission, in bytes. */
export const maxAttachmentBytes = (site: Site): number => panelSettings(site, formPanel).attachments_limit * MEGABYTE;

function rejectMany(): never {
  throw new TooManyRequests('This form was sent too often from your network. Try again in an hour.', HOUR_MS / 1000);
}

function checkSize(site: Site, uploads: ReadonlyMap<string, Upload[]>): void {
  const most = maxAttachmentBytes(site);
  const bytes = [...uploads.values()].flat().reduce((sum, upload) => sum + upload.size, 0);
  if (bytes > most)
    throw new ValidationFailed(
      [...uploads.keys()].map((field) => ({
        field,
        message: `The files are larger than ${most / MEGABYTE} MB together.`,
      })),
    );
}

/** Stores the file that a block adds to confirmations; undefined without a file, or if the file cannot be read. */
async function fixedAttachment({ blobs, log }: Kernel, { confirmation }: Form): Promise<StoredFile | undefined> {
  if (!isJsonObject(confirmation?.attachment)) return undefined;
  try {
    const [file] = await storeUploads(blobs, parseUploads(confirmation.attachment, 'fixed_attachment'));
    return file;
  } catch (error) {
    log.warn({ err: error }, 'the attachment of a form cannot be read');
    return undefined;
  }
}

const sentFieldsOf = ({ fields }: Form, values: ReadonlyMap<string, FormValue>): SentField[] =>
  fields.filter(({ id }) => values.has(id)).map(({ id, label, column, form }) => ({ id, label, column, form }));

/** Stores the values in the order of the form, and removes expired submissions. */
async function store(
  tx: Transaction,
  content: number,
  form: Form,
  values: ReadonlyMap<string, FormValue>,
): Promise<void> {
  const fields = sentFieldsOf(form, values);
  const data: JsonObject = Object.fromEntries(fields.map(({ id }) => [id, values.get(id)]));
  await insertSubmission(tx, { content, block: form.id, days: form.days, fields, data });
  if (form.days !== undefined) await deleteSubmissions(tx, { content, block: form.id }, form.days);
}

/** Queues the mails of a form. Throws TooManyRequests when an address would get too many mails. */
async function mail(tx: Transaction, kernel: Kernel, sent: Parameters<typeof formMails>[0]): Promise<void> {
  // All submissions lock addresses in the same order, so that two never wait for each other.
  for (const address of confirmedAddresses(sent).sort()) {
    const request = {
      kind: 'form-copy',
      sender: address.toLowerCase(),
      at: new Date(),
      since: new Date(Date.now() - HOUR_MS),
    };
    if (!(await requestLimits.record(tx, request, MAX_CONFIRMATIONS)))
      throw new TooManyRequests('Too many mails go to this address. Try again in an hour.', HOUR_MS / 1000);
  }
  const mails = formMails(sent);
  if (mails.length > 0 && !sent.form.stores && !mailing.hostOf(kernel, sent.site))
    throw new BadRequest(mailing.NO_HOST);
  for (const one of mails) await mailing.queue(tx, one);
}

/**
 * Processes a submission of a form: checks the limit and the captcha first, then the values by the form of the page. One transaction stores the
 * values if the block says so, and queues the mails; the page can neither be removed nor become private meanwhile. Returns the values by their
 * fields. Throws ValidationFailed, BadRequest for an unknown form or an unsolved captcha, TooManyRequests.
 */
export async function submitForm(request: FormRequest): Promise<Map<string, FormValue>> {
  const { kernel, caller, clientAddress, site, resolved, block } = request;
  const { oid, path } = resolved.object;
  const form = requireForm(site, resolved, block);
  const provider = form.captcha === '' ? undefined : requireProvider(kernel, form.captcha);
  await requireRoom(request);
  const { pairs } = pairsOf(request.data, undefined);
  if (provider)
    await requirePerson(provider, { kernel, captcha: request.captcha, data: new Map(pairs), clientAddress });
  const checked = checkValues(form.fields, request, new Set(provider?.fields ?? []));
  if ('problems' in checked) throw new ValidationFailed(checked.problems);
  if (checked.values.size + checked.uploads.size === 0) throw new BadRequest('The form is empty.');
  checkSize(site, checked.uploads);
  const { uid: page } = resolved.object;
  const codes = await verifyAddresses(kernel.db, { page, form, values: checked.values, data: request.data });
  const values = new Map(checked.values);
  for (const [id, uploads] of checked.uploads) {
    const files = await storeUploads(kernel.blobs, uploads);
    if (files.length > 0) values.set(id, files);
  }
  const attachment = await fixedAttachment(kernel, form);
  await kernel.db.transaction(async (tx) => {
    const now = await locateForWrite(kernel, path, tx, 'add-inside');
    if (!now.resolved || now.resolved.object.oid !== oid) throw new NotFound(path);
    requirePermission(now.site, caller, now.resolved, VIEW);
    const { request: counted, limit } = limitOf(now.site, oid, clientAddress);
    if (!(await requestLimits.record(tx, counted, limit))) rejectMany();
    await useCodes(tx, codes);
    if (form.stores) await store(tx, oid, form, values);
    const page = { title: now.resolved.object.title, url: siteAddress.ofContent(kernel, now.site, path) };
    await mail(tx, kernel, { site: now.site, form, page, values, attachment });
    const sent = { oid, part: 'form-data', change: 'submitted', name: form.id };
    await kernel.events.emit('message.sent', sent, { tx, caller });
  });
  return values;
}
