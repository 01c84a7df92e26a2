import { Type } from 'typebox';
import { RangeNotSatisfiable } from '../../lib/errors.ts';
import { type ByteRange, contentDisposition, etagMatches, parseRange } from '../../lib/http/http-headers.ts';
import { isInlineSafe, sniffMediaType } from '../../lib/http/media-type.ts';
import { datesAct } from '../configuration/panels/publishing.ts';
import { has } from '../content/permissions.ts';
import { BlobMissing, type BlobStore } from '../files/blobs/blob-store.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { ANONYMOUS, type Caller } from '../security/caller.ts';
import { USE_API, VIEW } from '../security/permissions.ts';
import { urlOf } from '../serializer/render-context.ts';
import type { Field } from '../types/content-type.ts';
import type { StoredFile } from '../types/field-kind.ts';
import { isStoredFile } from '../types/fields/files.ts';
import { headerOf } from './content/represent-path.ts';
import { loggedStream } from './logged-stream.ts';
import type { ResultOf } from './response.ts';
import { defineService, notFoundHere, type RequestContext, type Service } from './service.ts';
import { atRequestedVersion, VERSION_PARAMETER, type VersionRequest } from './versions.ts';

/** The query of everything that is downloaded. */
export const DispositionQuery = Type.Object({
  disposition: Type.Optional(
    Type.String({ description: '`inline` shows the file where that is safe; with anything else it is an attachment.' }),
  ),
});

const BYTES = 'application/octet-stream';

/** The responses of the services that send files. */
export const FILE_RESPONSES = {
  200: { description: 'The bytes of the file, under its own media type.', contentType: BYTES },
  206: { description: 'The part of the file that the header Range names.', contentType: BYTES },
  304: { description: 'The client has these bytes already (If-None-Match).' },
  404: { description: 'There is no such field, or no file in it that the caller may read.' },
  416: { description: 'The range lies outside the file.' },
};

/** The file in a field of the content at the address. */
export type FoundFile = {
  field: string;
  file: StoredFile;
  /** True if anonymous visitors may read it, too: shared caches may then store it. */
  open: boolean;
  /** The time from which the file is hidden from users who may not change it; null for never. */
  until: Date | null;
};

/** Says if the caller, who may view the object, may read its field. */
const mayRead = (
  { site, resolved }: Pick<RequestContext, 'site' | 'resolved'>,
  caller: Caller,
  { read_permission: permission }: Field,
): boolean => permission === undefined || has(site, caller, resolved, permission);

/**
 * The file in the field of this name. Throws NotFound when there is no such field, when it holds no files (or, with
 * `images`, no pictures), when it is empty, and when the caller may not read it: clients cannot tell these cases apart.
 */
export function findFile(context: VersionRequest, service: string, name: string, { images = false } = {}): FoundFile {
  const { site, resolved, kernel, caller } = context;
  const field = site.types.get(resolved.object.type)?.fieldByName.get(name);
  const holds = field && !field.writeOnly ? kernel.fieldKinds.of(field).holds : undefined;
  const file = field && resolved.object.fields[field.name];
  if (!field || !holds || (images && holds !== 'image') || !isStoredFile(file) || !mayRead(context, caller, field)) {
    throw notFoundHere(context, service);
  }
  // Former versions are never public, even if the present version is.
  const open =
    context.query.version === undefined &&
    [VIEW, USE_API].every((permission) => has(site, ANONYMOUS, resolved, permission)) &&
    mayRead(context, ANONYMOUS, field);
  return { field: field.name, file, open, until: datesAct(site) ? resolved.object.expires : null };
}

/** The name of the first field for files of the type itself; fields of behaviors, such as lead images, only illustrate the content. */
function primaryField({ site, resolved, kernel }: Pick<RequestContext, 'site' | 'resolved' | 'kernel'>): string {
  const type = site.types.get(resolved.object.type);
  return type?.fields.find((field) => field.behavior === type.id && kernel.fieldKinds.of(field).holds)?.name ?? '';
}

/** Options for sending a file: `inline` if its type allows it; `forever` for an address that changes with the bytes. */
type SendOptions = { inline: boolean; forever?: boolean };

/** The stored media type. Imports may have stored texts that are no media type; such texts never reach a header. */
export const mediaTypeOf = (file: StoredFile): string => sniffMediaType(new Uint8Array(), file['content-type']);

/** Seconds of a year, the lifetime in caches of a file that never changes. */
const YEAR_SECONDS = 31_536_000;

/** The header Cache-Control of a file: shared caches may keep only files that everybody may read, and no cache keeps a file longer than `until`. */
export function cacheControl(open: boolean, forever: boolean, until: Date | null = null): string {
  const left = until === null ? YEAR_SECONDS : Math.floor((until.getTime() - Date.now()) / 1000);
  const age = Math.max(0, Math.min(YEAR_SECONDS, left));
  return `${open ? 'public' : 'private'}, ${forever ? `max-age=${age}, immutable` : 'no-cache'}`;
}

/** The disposition of bytes of a type. Types that could run code in a browser are always attachments. */
export const dispositionOf = (inline: boolean, contentType: string, filename: string): string =>
  contentDisposition(inline && isInlineSafe(contentType) ? 'inline' : 'attachment', filename);

/** The canonical address of a file, for caches and search engines. */
export const canonicalLink = ({ base, resolved }: Pick<RequestContext, 'base' | 'resolved'>, field: string): string =>
  `<${urlOf(base, resolved.object.path)}/@@download/${encodeURIComponent(field)}>; rel="canonical"`;

/** Bytes of a text from which its charset is found. */
const TEXT_SAMPLE_BYTES = 65_536;

/**
 * The media type that a file is sent with. For a text whose bytes are UTF-8 it names this charset, because browsers otherwise assume the code page of
 * their user.
 */
async function servedType(blobs: BlobStore, { hash }: StoredFile, size: number, mediaType: string): Promise<string> {
  if (!mediaType.startsWith('text/')) return mediaType;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    // A character that is cut by the end of the sample is no error.
    const range = size > TEXT_SAMPLE_BYTES ? { start: 0, end: TEXT_SAMPLE_BYTES - 1 } : undefined;
    for await (const chunk of await blobs.open(hash, range)) decoder.decode(chunk, { stream: true });
    if (!range) decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) return mediaType;
    throw error;
  }
  return `${mediaType}; charset=utf-8`;
}

/**
 * The part of a representation of `size` bytes that a request gets, with its status and headers. Range is ignored when If-Range names another state
 * of the bytes. Throws RangeNotSatisfiable.
 */
export function requestedPart(
  context: Pick<RequestContext, 'headers'>,
  etag: string,
  size: number,
): { status: 200 | 206; headers: Record<string, string | number>; part: ByteRange | undefined } {
  const condition = headerOf(context, 'if-range')?.trim();
  const wanted = condition === undefined || condition === etag ? headerOf(context, 'range') : undefined;
  const range = parseRange(wanted, size);
  if (range === 'unsatisfiable') throw new RangeNotSatisfiable(size);
  const headers = { 'Accept-Ranges': 'bytes' };
  if (range === 'whole') return { status: 200, headers: { ...headers, 'Content-Length': size }, part: undefined };
  return {
    status: 206,
    headers: {
      ...headers,
      'Content-Length': range.end - range.start + 1,
      'Content-Range': `bytes ${range.start}-${range.end}/${size}`,
    },
    part: range,
  };
}

/**
 * Sends a file, the requested part of it, or 304 to a client that has it already. Opens the blob when the first bytes are read.
 * Throws RangeNotSatisfiable, and BlobMissing when the store has lost the bytes.
 */
export async function sendFile(
  context: Pick<RequestContext, 'kernel' | 'headers' | 'base' | 'resolved'>,
  { field, file, open, until }: FoundFile,
  { inline, forever = false }: SendOptions,
): Promise<ResultOf<typeof FILE_RESPONSES>> {
  const { blobs, log } = context.kernel;
  const etag = `"${file.hash}"`;
  const shared = {
    ETag: etag,
    'Cache-Control': cacheControl(open, forever, until),
    Link: canonicalLink(context, field),
  };
  if (etagMatches(headerOf(context, 'if-none-match'), etag)) return { status: 304, headers: shared };
  const size = await blobs.size(file.hash);
  if (size === undefined) throw new BlobMissing(file.hash);
  const { status, headers, part } = requestedPart(context, etag, size);
  const mediaType = mediaTypeOf(file);
  return {
    status,
    headers: {
      ...shared,
      ...headers,
      'Content-Disposition': dispositionOf(inline, mediaType, file.filename),
    },
    contentType: await servedType(blobs, file, size, mediaType),
    stream: loggedStream(log, () => blobs.open(file.hash, part)),
  };
}

/**
 * Sends a whole file that shared caches may not keep, for services that make its address and its validator themselves. Throws BlobMissing when the
 * store has lost the bytes.
 */
export async function privateFile(
  { blobs, log }: Pick<Kernel, 'blobs' | 'log'>,
  file: StoredFile,
  { inline, headers = {} }: { inline: boolean; headers?: Record<string, string> },
) {
  const size = await blobs.size(file.hash);
  if (size === undefined) throw new BlobMissing(file.hash);
  const contentType = mediaTypeOf(file);
  return {
    status: 200 as const,
    headers: {
      'Cache-Control': cacheControl(false, false),
      ...headers,
      'Content-Length': size,
      'Content-Disposition': dispositionOf(inline, contentType, file.filename),
    },
    contentType,
    stream: loggedStream(log, () => blobs.open(file.hash)),
  };
}

/** GET `@@download[/<field>[/<filename>]]`: a file, under its name in the site, not the name in the address. */
const getDownload = defineService({
  name: '@@download',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Downloads the file in a field, or the file that the content is made of.',
  rest: ['', '{field}', '{field}/{filename}'],
  query: Type.Object({ ...DispositionQuery.properties, ...VERSION_PARAMETER }),
  responses: FILE_RESPONSES,
  async run(request) {
    const context = await atRequestedVersion(request);
    return sendFile(context, findFile(context, '@@download', context.params.field ?? primaryField(context)), {
      inline: context.query.disposition === 'inline',
    });
  },
});

/** GET `@@display-file[/<field>[/<filename>]]`: a file to be shown, if its type runs no code (plone.namedfile). */
const getDisplayFile = defineService({
  name: '@@display-file',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary:
    'Shows the file in a field, or the file that the content is made of; types that could run code are downloaded.',
  rest: ['', '{field}', '{field}/{filename}'],
  query: Type.Object(VERSION_PARAMETER),
  responses: FILE_RESPONSES,
  async run(request) {
    const context = await atRequestedVersion(request);
    return sendFile(context, findFile(context, '@@display-file', context.params.field ?? primaryField(context)), {
      inline: true,
    });
  },
});

/** GET `@@videos/<field>[/<filename>]`: a video, of which players ask for parts (Nick). The same as `@@download`. */
const getVideo = defineService({
  name: '@@videos',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The video in a field; players ask for parts of it.',
  rest: ['{field}', '{field}/{filename}'],
  query: Type.Object({ ...DispositionQuery.properties, ...VERSION_PARAMETER }),
  responses: FILE_RESPONSES,
  async run(request) {
    const context = await atRequestedVersion(request);
    return sendFile(context, findFile(context, '@@videos', context.params.field), {
      inline: context.query.disposition === 'inline',
    });
  },
});

export const fileServices: Service[] = [getDownload, getDisplayFile, getVideo];
