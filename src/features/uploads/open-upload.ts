import { randomUUID } from 'node:crypto';
import {
  access,
  type Caller,
  type Kernel,
  locks,
  panelSettings,
  panels,
  type ResolvedNode,
  type Site,
  storedFiles,
} from '#core';
import { BadRequest, PayloadTooLarge, TooManyRequests } from '#lib/errors';
import { sniffMediaType } from '#lib/http/media-type';
import { parseMetadata } from './protocol.ts';
import { insertUpload, lockOpenUploads, type Upload, type UploadMode } from './statements.ts';

/** Seconds after which a client with too many uploads may try again. */
const RETRY_AFTER = 60;

const MEBIBYTE_BYTES = 1024 * 1024;

/** The file that the metadata of an upload describes; clients such as Uppy have names of their own for the metadata. */
export function describedFile(metadata: ReadonlyMap<string, string>): {
  filename: string | undefined;
  contentType: string | undefined;
  type: string | undefined;
  field: string | undefined;
} {
  const first = (...names: string[]) => names.map((name) => metadata.get(name)).find(Boolean);
  return {
    filename: first('filename', 'name'),
    contentType: first('content-type', 'filetype', 'type'),
    type: first('@type'),
    field: first('fieldname'),
  };
}

/** A request that opens an upload. */
export type NewUpload = {
  caller: Caller & { id: string };
  mode: UploadMode;
  length: number;
  /** The header Upload-Metadata. */
  metadata: string;
  lockToken: string | undefined;
};

/**
 * Throws the errors that the end of the upload would throw now, about the type, the rights, the field and the lock. They are checked again at the
 * end.
 */
function checkEnd(
  kernel: Kernel,
  site: Site,
  resolved: ResolvedNode,
  { caller, mode, metadata, lockToken }: NewUpload,
): void {
  const { filename, contentType, type: named, field } = describedFile(parseMetadata(metadata));
  if (mode === 'create') {
    const mediaType = sniffMediaType(new Uint8Array(), contentType, filename);
    const id = named ?? storedFiles.typeFor(site, caller, resolved, mediaType);
    storedFiles.requireField(kernel.fieldKinds, access.requireType(site, caller, resolved, { '@type': id }), field);
    return;
  }
  const type = site.types.get(resolved.object.type);
  if (!type) throw new BadRequest(`The site no longer has the type "${resolved.object.type}".`);
  storedFiles.requireField(kernel.fieldKinds, type, field);
  locks.requireUnlocked(resolved.object, lockToken);
}

/**
 * Opens an upload for new content in a container, or for the file of content. Throws BadRequest, Forbidden, and TooManyRequests and PayloadTooLarge
 * when the user has too many open uploads, or too many bytes in them.
 */
export async function openUpload(
  kernel: Kernel,
  { site, resolved }: { site: Site; resolved: ResolvedNode },
  request: NewUpload,
): Promise<Upload> {
  checkEnd(kernel, site, resolved, request);
  const { caller, mode, length, metadata } = request;
  const { max_open: maxOpen, max_open_size: maxSize, expire_hours: hours } = panelSettings(site, panels.uploads);
  const id = randomUUID();
  const handle = await kernel.blobs.uploads.begin(id, length);
  const row = { id, owner: caller.id, content: resolved.object.oid, mode, length, metadata, handle };
  try {
    const expires = await kernel.db.transaction(async (tx) => {
      const open = await lockOpenUploads(tx, caller.id);
      if (open.count >= maxOpen)
        throw new TooManyRequests(`You have ${open.count} open uploads. Finish or end one of them.`, RETRY_AFTER);
      if (open.bytes + length > maxSize * MEBIBYTE_BYTES) throw new PayloadTooLarge(maxSize * MEBIBYTE_BYTES);
      return insertUpload(tx, row, hours);
    });
    return { ...row, received: 0, blob: null, result: null, expires };
  } catch (error) {
    await kernel.blobs.uploads.discard({ id, handle });
    throw error;
  }
}
