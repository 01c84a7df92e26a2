import { RangeNotSatisfiable } from '../../lib/errors.ts';
import { contentDisposition, etagMatches, parseRange } from '../../lib/http-headers.ts';
import { isInlineSafe, sniffMediaType } from '../../lib/media-type.ts';
import { urlOf } from '../../serializer/render-context.ts';
import { BlobMissing } from '../../storage/blobs/blob-store.ts';
import type { StoredFile } from '../../types/field-kind.ts';
import { headerOf } from '../content/represent-path.ts';
import type { RequestContext, ServiceResponse } from '../service.ts';
import type { FoundFile } from './find-file.ts';
import { loggedStream } from './logged-stream.ts';

/** How a file is sent: `inline` where its type allows it; `forever` at an address that changes with the bytes. */
export type SendOptions = { inline: boolean; forever?: boolean };

/** The stored media type; what an import stored and is no media type does not reach a header. */
export const mediaTypeOf = (file: StoredFile): string => sniffMediaType(new Uint8Array(), file['content-type']);

/** How long an answer may be kept, and by whom: by shared caches only what everybody may read. */
export function cacheControl(open: boolean, forever: boolean): string {
  return `${open ? 'public' : 'private'}, ${forever ? 'max-age=31536000, immutable' : 'no-cache'}`;
}

/** The disposition of bytes of a type. Types that could run code in a browser are attachments, whatever is asked for. */
export const dispositionOf = (inline: boolean, contentType: string, filename: string): string =>
  contentDisposition(inline && isInlineSafe(contentType) ? 'inline' : 'attachment', filename);

/** The address of a file, by which caches and search engines know it under all its names. */
export const canonicalLink = ({ base, resolved }: RequestContext, field: string): string =>
  `<${urlOf(base, resolved.object.path)}/@@download/${encodeURIComponent(field)}>; rel="canonical"`;

/** The range that a request asks for. One that was asked for on the condition of other bytes is ignored (If-Range). */
function rangeOf(context: RequestContext, etag: string): string | undefined {
  const condition = headerOf(context, 'if-range')?.trim();
  return condition === undefined || condition === etag ? headerOf(context, 'range') : undefined;
}

/**
 * Sends a file, or the part of it that is asked for, or 304 to a client that has it. Throws RangeNotSatisfiable, and
 * BlobMissing when the store has lost the bytes. The blob is opened when its bytes are asked for.
 */
export async function sendFile(
  context: RequestContext,
  { field, file, open }: FoundFile,
  { inline, forever = false }: SendOptions,
): Promise<ServiceResponse> {
  const { blobs, log } = context.kernel;
  const etag = `"${file.hash}"`;
  const shared = { ETag: etag, 'Cache-Control': cacheControl(open, forever), Link: canonicalLink(context, field) };
  if (etagMatches(headerOf(context, 'if-none-match'), etag)) return { status: 304, headers: shared };
  const size = await blobs.size(file.hash);
  if (size === undefined) throw new BlobMissing(file.hash);
  const range = parseRange(rangeOf(context, etag), size);
  if (range === 'unsatisfiable') throw new RangeNotSatisfiable(size);
  const part = range === 'whole' ? undefined : range;
  const contentType = mediaTypeOf(file);
  return {
    status: part ? 206 : 200,
    headers: {
      ...shared,
      'Accept-Ranges': 'bytes',
      'Content-Length': part ? part.end - part.start + 1 : size,
      ...(part ? { 'Content-Range': `bytes ${part.start}-${part.end}/${size}` } : {}),
      'Content-Disposition': dispositionOf(inline, contentType, file.filename),
    },
    contentType,
    stream: loggedStream(log, () => blobs.open(file.hash, part)),
  };
}
