import { prepareFiles } from '../../content/prepare-files.ts';
import { fitInside } from '../../images/image-scales.ts';
import { makeScale, scaleName } from '../../images/make-scale.ts';
import { scaleMediaType } from '../../images/scale-media-type.ts';
import { ValidationFailed } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { StoredFile } from '../../types/field-kind.ts';
import { PreparedFile } from '../../types/prepared-file.ts';
import { userType } from './user-type.ts';

/** The box that a portrait is scaled into when the client asks for it, in pixels. */
const BOX = [300, 300] as const;

/** The scaled picture as a file of its own; the picture as it is when it cannot be scaled. */
async function scaled(blobs: BlobStore, file: StoredFile): Promise<StoredFile> {
  const type = file['content-type'];
  const { width = 0, height = 0 } = file;
  if (width <= BOX[0] && height <= BOX[1]) return file;
  if (!(await makeScale(blobs, file.hash, BOX, type))) return file;
  const derived = await blobs.openDerived(file.hash, scaleName(BOX, type));
  if (!derived) return file;
  const size = fitInside({ width, height }, BOX);
  return { ...file, ...size, ...(await blobs.put(derived.stream)), 'content-type': scaleMediaType(type) };
}

/**
 * Reads `portrait` of a body `{data, encoding, content-type, filename, scale?}` and stores its bytes: the picture, null
 * to remove it, or undefined to leave it as it is, as for the address that a GET gave (plone.restapi, U15). Throws
 * ValidationFailed for what is no picture.
 */
export async function readPortrait(
  kernel: Kernel,
  site: Site,
  { portrait }: JsonObject,
): Promise<StoredFile | null | undefined> {
  if (portrait === null) return null;
  if (!isJsonObject(portrait) || !('data' in portrait)) return undefined;
  const { portrait: prepared } = await prepareFiles(kernel, userType(site), { portrait });
  if (prepared === null) return null;
  if (!(prepared instanceof PreparedFile) || !/^image\//.test(prepared.file['content-type']))
    throw new ValidationFailed([{ field: 'portrait', message: 'Must be a picture.' }], 'WrongParameterError');
  return portrait.scale === true ? scaled(kernel.blobs, prepared.file) : prepared.file;
}
