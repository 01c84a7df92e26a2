import {
  ADD,
  type Caller,
  has,
  MODIFY,
  noContent,
  panelSettings,
  panels,
  type RequestContext,
  reject,
  requests,
  uploadArea,
  urlOf,
  VIEW,
} from '#core';
import { BadRequest, Forbidden, NotFound, PayloadTooLarge, UnsupportedMediaType } from '#lib/errors';
import { finishWithContent } from './finish-upload.ts';
import { openUpload } from './open-upload.ts';
import { OFFSET_TYPE, parseChecksum, parseLength, parseMetadata, parseOffset, requireVersion } from './protocol.ts';
import { receiveBytes, wrongOffset } from './receive-bytes.ts';
import { discardParts } from './remove-uploads.ts';
import { findUpload, type Upload, type UploadMode } from './statements.ts';

/** Addresses have the id without hyphens (plone.restapi). */
const addressId = (id: string): string => id.replaceAll('-', '');
const storedId = (text: string): string => text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const uploadUrl = ({ base, resolved }: RequestContext, id: string): string =>
  `${urlOf(base, resolved.object.path)}/@tus-upload/${addressId(id)}`;

/** Throws Unauthorized or Forbidden unless the caller may do here what the upload is made for. */
function requireRight({ site, caller, resolved }: RequestContext, mode: UploadMode): void {
  const needed = mode === 'create' ? [ADD, VIEW] : [MODIFY];
  if (!needed.every((permission) => has(site, caller, resolved, permission))) reject(caller);
}

/** The upload in the address. Throws NotFound, and Forbidden for users who have not opened it. */
export async function requireUpload(context: RequestContext, segment: string): Promise<Upload> {
  const { db, resolved, caller } = context;
  const id = storedId(segment);
  const upload = uploadArea.isUploadId(id) ? await findUpload(db, id) : undefined;
  if (!upload || upload.content !== resolved.object.oid)
    throw new NotFound(`${resolved.object.path}/@tus-upload/${segment}`);
  if (upload.owner !== caller.id) throw new Forbidden('Only who has opened an upload may go on with it.');
  requireRight(context, upload.mode);
  return upload;
}

/** The announced number of bytes of a request; undefined without an announcement. */
function announcedBytes(context: RequestContext): number | undefined {
  const length = requests.headerOf(context, 'content-length');
  return length === undefined ? undefined : Number(length);
}

/** Throws UnsupportedMediaType for compressed bytes, whose number is unknown. */
function requirePlain(context: RequestContext): void {
  const encoding = requests.headerOf(context, 'content-encoding');
  if (encoding !== undefined && encoding !== 'identity')
    throw new UnsupportedMediaType(`${OFFSET_TYPE} encoded as ${encoding.slice(0, 100)}`);
}

/** The media type of the body. */
const bodyType = (context: RequestContext): string | undefined =>
  requests.headerOf(context, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase();

/** The state of an upload for its client; `path` is the path of the content once it is written. */
type Went = { offset: number; expires?: Date; path?: string };

/** Receives the body of a request and, with the last byte, writes the content. */
async function goOn(context: RequestContext, upload: Upload, offset: number): Promise<Went> {
  const { kernel, site, stream } = context;
  if (offset !== upload.received) throw wrongOffset(upload.received);
  requirePlain(context);
  const checksum = parseChecksum(requests.headerOf(context, 'upload-checksum'));
  const announced = announcedBytes(context);
  if (announced !== undefined && offset + announced > upload.length) throw new PayloadTooLarge(upload.length - offset);
  const { expire_hours: hours } = panelSettings(site, panels.uploads);
  const progress = await receiveBytes(kernel, upload, { hours, incoming: { stream, offset, checksum } });
  if (!('whole' in progress)) return progress;
  const path = await finishWithContent(kernel, {
    ...{ upload, whole: progress.whole, writer: progress.writer },
    bases: requests.basesOf(context),
    lockToken: requests.headerOf(context, 'lock-token'),
  });
  await discardParts(kernel, upload);
  return { offset: upload.length, path };
}

export const expiresHeader = (expires: Date | undefined): Record<string, string> =>
  expires ? { 'Upload-Expires': expires.toUTCString() } : {};

/** Opens an upload; a body of the right type contains its first bytes (creation-with-upload). */
export async function open(
  context: RequestContext,
  mode: UploadMode,
): Promise<{ status: 201; headers: Record<string, string | number> }> {
  const { kernel, site, caller, resolved, base } = context;
  requireVersion(requests.headerOf(context, 'tus-resumable'));
  if (requests.headerOf(context, 'upload-concat') !== undefined)
    throw new BadRequest('Uploads are not put together from others here: send the file as one, without Upload-Concat.');
  const length = parseLength(requests.headerOf(context, 'upload-length'), site);
  const metadata = requests.headerOf(context, 'upload-metadata') ?? '';
  parseMetadata(metadata);
  const brings = bodyType(context) === OFFSET_TYPE;
  const hasBody = (announcedBytes(context) ?? 0) > 0 || requests.headerOf(context, 'transfer-encoding') !== undefined;
  if (hasBody && !brings) throw new BadRequest(`Send the bytes of the file as ${OFFSET_TYPE}.`);
  if (brings && length < (announcedBytes(context) ?? 0)) throw new PayloadTooLarge(length);
  const upload = await openUpload(
    kernel,
    { site, resolved },
    { caller: named(caller), mode, length, metadata, lockToken: requests.headerOf(context, 'lock-token') },
  );
  // A file without bytes is complete at once.
  const went = brings || length === 0 ? await goOn(context, upload, 0) : { offset: 0, expires: upload.expires };
  return {
    status: 201,
    headers: {
      Location: uploadUrl(context, upload.id),
      ...(brings ? { 'Upload-Offset': went.offset } : {}),
      ...expiresHeader(went.expires),
      ...(went.path === undefined ? {} : { 'Content-Location': urlOf(base, went.path) }),
    },
  };
}

/** The caller, who must be logged in to open an upload. */
function named(caller: Caller): Caller & { id: string } {
  return caller.id === null ? reject(caller) : { ...caller, id: caller.id };
}

/** PATCH of an upload: receives bytes from its offset on. */
export async function patch(context: RequestContext, segment: string): Promise<ReturnType<typeof noContent>> {
  requireVersion(requests.headerOf(context, 'tus-resumable'));
  const upload = await requireUpload(context, segment);
  if (bodyType(context) !== OFFSET_TYPE) throw new BadRequest(`Send the bytes of the file as ${OFFSET_TYPE}.`);
  const offset = parseOffset(requests.headerOf(context, 'upload-offset'));
  const { expires, path, offset: reached } = await goOn(context, upload, offset);
  return noContent({
    'Upload-Offset': reached,
    ...expiresHeader(expires),
    ...(path === undefined ? {} : { Location: urlOf(context.base, path) }),
  });
}
