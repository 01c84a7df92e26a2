import {
  accounts,
  type Caller,
  contentRows,
  isStoredFile,
  type Kernel,
  locate,
  ReceivedBytes,
  type ResolvedNode,
  storedFiles,
  type Transaction,
  tree,
} from '#core';
import { BadRequest, Conflict, NotFound, Unauthorized } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { describedFile } from './open-upload.ts';
import { parseMetadata } from './protocol.ts';
import { finishUpload, type Upload } from './statements.ts';

/** The end of an upload: all its bytes are a blob. */
export type UploadEnd = {
  upload: Upload;
  whole: storedFiles.BlobInfo;
  /** The request with the last byte. */
  writer: string;
  bases: readonly string[];
  lockToken: string | undefined;
};

type Place = Awaited<ReturnType<typeof locate>> & { resolved: ResolvedNode };

/** Returns the present place of the content of an upload; the content may have been moved since the upload began. Throws NotFound. */
async function locateNow(kernel: Kernel, { content, id }: Upload): Promise<Place> {
  const path = (await contentRows.pathsOf(kernel.db, [content])).get(content);
  const lookup = path === undefined ? undefined : await locate(kernel, path);
  if (lookup?.resolved?.object.oid !== content) throw new NotFound(`/@tus-upload/${id}`);
  return { ...lookup, resolved: lookup.resolved };
}

/** The owner with the present roles and groups. Throws Unauthorized when the account is gone. */
async function ownerNow(kernel: Kernel, { owner }: Upload): Promise<Caller> {
  const account = await accounts.load(kernel.db, owner);
  if (!account) throw new Unauthorized();
  return account.caller;
}

/** The body with the file, for new content or a change. */
async function inputOf(
  kernel: Kernel,
  { site, resolved }: Place,
  { upload, whole, caller }: Pick<UploadEnd, 'upload' | 'whole'> & { caller: Caller },
): Promise<JsonObject> {
  const { filename, contentType, type: named, field: fieldName } = describedFile(parseMetadata(upload.metadata));
  const creates = upload.mode === 'create';
  const mediaType = await storedFiles.sniff(kernel.blobs, whole, contentType, filename);
  const id = creates ? (named ?? storedFiles.typeFor(site, caller, resolved, mediaType)) : resolved.object.type;
  const type = site.types.get(id);
  if (!type) throw new BadRequest(`There is no content type "${id}".`);
  const field = storedFiles.requireField(kernel.fieldKinds, type, fieldName);
  const present = creates ? undefined : resolved.object.fields[field.name];
  const file = {
    data: new ReceivedBytes(whole),
    filename: filename ?? (isStoredFile(present) ? present.filename : undefined),
    'content-type': contentType,
  };
  return { ...(creates ? { '@type': id } : {}), [field.name]: file };
}

/**
 * Writes the content of an upload, in one transaction with the end of the upload, like any new content or change: with the present rights, types and
 * locks. Returns the path of the content. Throws the errors of creating and changing content, and Conflict when another request has taken over.
 */
export async function finishWithContent(kernel: Kernel, end: UploadEnd): Promise<string> {
  const { upload, writer, bases, lockToken } = end;
  const caller = await ownerNow(kernel, upload);
  const place = await locateNow(kernel, upload);
  const input = await inputOf(kernel, place, { ...end, caller });
  const { path } = place.resolved.object;
  const options = {
    before: place,
    also: async (tx: Transaction, written: string): Promise<void> => {
      if (!(await finishUpload(tx, { id: upload.id, writer, path: written })))
        throw new Conflict(
          'Another request goes on with this upload, or its place was moved. Ask for the offset with HEAD.',
        );
    },
  };
  return upload.mode === 'create'
    ? (await tree.create(kernel, { caller, container: path, input, bases }, options)).path
    : tree.update(kernel, { caller, path, input, bases, lockToken }, options);
}
