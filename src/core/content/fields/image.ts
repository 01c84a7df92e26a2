import { extensionFor } from '../../../lib/http/media-type.ts';
import { allScaleSizes, regionText, type Scale, type ScaleTable, scaleSizes } from '../../files/images/image-scales.ts';
import { scaleFileName } from '../../files/images/open-scale.ts';
import { FieldError, type FieldKind, PreparedFile, type StoredFile } from '../../types/field-kind.ts';
import { file, fileWords, isStoredFile } from '../../types/fields/files.ts';
import { ImageValue, NewImage } from '../../types/value-shapes.ts';
import { markedPicture, servedMarks } from './picture-marks.ts';

type ServedScale = { download: string; width: number; height: number };

/** Says if the bytes could be read as a picture; otherwise its size is -1 (plone.restapi, S09). */
const isMeasured = ({ width = -1, height = -1 }: StoredFile): boolean => width > 0 && height > 0;

/** Path of a scale of a picture behind the address of its object. The same path always shows the same bytes. */
function picturePath(field: string, stored: StoredFile, { width, region }: Pick<Scale, 'width' | 'region'>): string {
  const part = regionText(region);
  return `@@images/${scaleFileName({
    ...{ field, width, hash: stored.hash },
    ...(part === undefined ? {} : { region: part }),
    ext: extensionFor(stored['content-type'], stored.filename),
  })}`;
}

/** Descriptions of scales, with addresses that begin with `prefix`. */
function describe(
  field: string,
  stored: StoredFile,
  scales: Record<string, Scale>,
  prefix: string,
): Record<string, ServedScale> {
  return Object.fromEntries(
    Object.entries(scales).map(([name, scale]) => [
      name,
      { download: prefix + picturePath(field, stored, scale), width: scale.width, height: scale.height },
    ]),
  );
}

/** A picture in responses; its addresses begin with `prefix`, and `sizesOf` returns the sizes of its scales. */
function describePicture(
  field: string,
  stored: StoredFile,
  prefix: string,
  sizesOf: (measured: StoredFile & { width: number; height: number }) => ReturnType<typeof scaleSizes>,
): Record<string, unknown> & { download: string | null } {
  const { filename, size, width = -1, height = -1, 'content-type': contentType } = stored;
  return {
    filename,
    'content-type': contentType,
    size,
    width,
    height,
    download: isMeasured(stored) ? prefix + picturePath(field, stored, { width }) : null,
    ...servedMarks(stored),
    scales: describe(field, stored, sizesOf({ ...stored, width, height }), prefix),
  };
}

/** The entry of a picture in `image_scales` of listings: addresses relative to its object (plone.restapi §3.5). */
export const imageScalesEntry = (field: string, stored: StoredFile, table: ScaleTable): Record<string, unknown> =>
  describePicture(field, stored, '', (measured) => scaleSizes(measured, table));

/** Throws FieldError for a new file that is no picture by its bytes and its name. */
function requirePicture(value: unknown): void {
  if (!(value instanceof PreparedFile)) return;
  const type = value.file['content-type'];
  if (!type.startsWith('image/')) throw new FieldError(`Must be a picture, not a file of the type ${type}.`);
}

/** A picture: a file with its size in pixels and the addresses of its scales. */
export const image: FieldKind = {
  missing: null,
  deserialize(value, field, context) {
    requirePicture(value);
    return markedPicture(file.deserialize(value, field, context), value, context);
  },
  factories: [{ name: 'Image', tokens: ['Image'], property: { type: 'object' } }],
  holds: 'image',
  shape: () => ({ read: ImageValue, write: NewImage }),
  words: fileWords,
  recognizes: (sample) =>
    'file' in sample &&
    (sample.file.contentType.startsWith('image/') ||
      (sample.file.width !== undefined && sample.file.height !== undefined)),
  serialize(stored, field, context) {
    if (!isStoredFile(stored)) return null;
    const prefix = `${context.objectUrl}/`;
    const picture = describePicture(field.name, stored, prefix, (measured) => allScaleSizes(measured, context.scales));
    return { ...picture, download: picture.download ?? `${prefix}@@download/${field.name}` };
  },
};
