import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Kernel } from '#core';
import { BadRequest, ClientError, PayloadTooLarge } from '#lib/errors';
import { openPrivately, type PrivateBlob, storePrivately } from '../../site-export/private-blob.ts';
import { checkRoom } from '../../site-export/restore/check-room.ts';
import { makePrivateFolder, type PrivateFolder } from '../../site-export/restore/private-folder.ts';
import type { FileKind, UploadedExport } from '../statements/uploaded.ts';

/** Bytes by which a kind of file is recognised. */
const HEAD_BYTES = 64;

/** Names of files that are taken, by their endings. */
const ENDINGS: readonly (readonly [RegExp, FileKind])[] = [
  [/\.zip$/i, 'zip'],
  [/\.(?:tar\.gz|tgz)$/i, 'tar.gz'],
  [/\.json$/i, 'json'],
  [/\.xml$/i, 'xml'],
];

/** The kind of an export by the name of its file. Throws BadRequest for another name. */
export function kindOf(filename: string): FileKind {
  const found = ENDINGS.find(([ending]) => ending.test(filename));
  if (!found)
    throw new BadRequest(
      'The name of the file must end with .zip, .tar.gz, .json or .xml. Pack the folder of an export as .zip.',
    );
  return found[1];
}

/** Says if a file can be of a kind by its first bytes. */
function fits(kind: FileKind, head: Buffer): boolean {
  if (kind === 'zip') return head.length >= 4 && head[0] === 0x50 && head[1] === 0x4b;
  if (kind === 'tar.gz') return head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b;
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  return text === '' ? head.length === HEAD_BYTES : (kind === 'json' ? /^[[{]/ : /^</).test(text);
}

/** Passes a file on. Throws PayloadTooLarge, and BadRequest for a file of another kind than its name says. */
async function* checked(stream: Readable, kind: FileKind, maxBytes: number): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let bytes = 0;
  const check = (first: Buffer): void => {
    if (!fits(kind, first.subarray(0, HEAD_BYTES)))
      throw new BadRequest(`The file is not what its name says: no .${kind}.`);
  };
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new PayloadTooLarge(maxBytes);
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < HEAD_BYTES) continue;
    check(head);
    yield head;
    head = undefined;
  }
  if (head === undefined) return;
  if (bytes === 0) throw new BadRequest('The request has no file: send its bytes as the body.');
  check(head);
  yield head;
}

/**
 * Stores the file of an upload where each process reaches it. Nothing is left behind after a failure. Throws BadRequest, also when the body is cut
 * off, and PayloadTooLarge.
 */
export async function storeFile(
  kernel: Pick<Kernel, 'blobs'>,
  stream: Readable,
  { kind, maxBytes }: { kind: FileKind; maxBytes: number },
): Promise<PrivateBlob> {
  try {
    return await storePrivately(kernel, checked(stream, kind, maxBytes));
  } catch (error) {
    if (error instanceof ClientError || (!stream.errored && !stream.destroyed)) throw error;
    throw new BadRequest('The body was cut off.', 'DeserializationError');
  }
}

/** The file of an uploaded export in a folder of its own. */
export type CopiedFile = Pick<PrivateFolder, 'remove'> & { file: string };

/** Copies the file of an uploaded export to the disk of this process. Throws ExportRefused when there is no room. */
export async function copyFile(
  kernel: Pick<Kernel, 'blobs'>,
  { blob, kind, bytes }: Pick<UploadedExport, 'kind' | 'bytes'> & { blob: string },
  signal: AbortSignal,
): Promise<CopiedFile> {
  const { folder, remove } = await makePrivateFolder({ endsInOrder: true });
  try {
    const file = join(folder, `export.${kind}`);
    await checkRoom('The file', folder, bytes);
    const source = await openPrivately(kernel, { blob, bytes });
    await pipeline(source, createWriteStream(file, { mode: 0o600 }), { signal });
    return { file, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
