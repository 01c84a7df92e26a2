import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../lib/json-object.ts';
import type { ScaleTable, Size } from '../../files/images/image-scales.ts';
import {
  type Crop,
  hasPixels,
  type PictureMarks,
  parseCrop,
  parseFocalPoint,
} from '../../files/images/picture-marks.ts';
import { FieldError, PreparedFile, type StoredFile, type WriteContext } from '../../types/field-kind.ts';
import { isStoredFile } from '../../types/fields/files.ts';

/** Maximum number of crops of one picture, more than a site has scales. */
const MAX_CROPS = 100;

/** Returns the marks of a stored picture, in the form of responses, without absent ones. */
export const servedMarks = ({ focal_point, crops }: StoredFile): PictureMarks => ({
  ...(focal_point ? { focal_point } : {}),
  ...(crops ? { crops } : {}),
});

/**
 * The picture with the marks `focal_point` and `crops` that a client sent, with or without the picture; null removes a mark. Other marks stay if the
 * bytes stay the same: they have no meaning for another picture. Throws FieldError.
 */
export function markedPicture(picture: unknown, value: unknown, { current, scales }: WriteContext): unknown {
  const sent = value instanceof PreparedFile ? value.sent : isJsonObject(value) ? value : {};
  if (!isStoredFile(picture)) {
    if (isPresent(sent.focal_point) || isPresent(sent.crops))
      throw new FieldError('There is no picture to mark: send its data as well.');
    return picture;
  }
  const { focal_point: _point, crops: _crops, ...plain } = picture;
  const known = isStoredFile(current) && current.hash === picture.hash ? servedMarks(current) : servedMarks(picture);
  const point = sent.focal_point === undefined ? known.focal_point : focalPoint(sent.focal_point);
  const crops = sent.crops === undefined ? known.crops : cropsOf(sent.crops, plain, { known: known.crops, scales });
  return { ...plain, ...(point ? { focal_point: point } : {}), ...(crops ? { crops } : {}) };
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

function focalPoint(value: unknown): PictureMarks['focal_point'] {
  if (value === null) return undefined;
  const point = parseFocalPoint(value);
  if (!point) throw new FieldError('The focal_point must be an object of x and y, both from 0 to 1, or null.');
  return point;
}

function cropsOf(
  value: unknown,
  { width = -1, height = -1, 'content-type': type }: StoredFile,
  { known, scales }: { known: PictureMarks['crops']; scales: ScaleTable | undefined },
): PictureMarks['crops'] {
  if (value === null) return undefined;
  if (!isJsonObject(value))
    throw new FieldError('The crops must be an object of crops by the names of scales, or null.');
  const entries = Object.entries(value);
  if (entries.length === 0) return undefined;
  if (width < 1 || height < 1 || type === 'image/svg+xml')
    throw new FieldError('This picture has no scales that could be cropped.');
  if (entries.length > MAX_CROPS) throw new FieldError(`There may be ${MAX_CROPS} crops at most.`);
  const picture = { width, height };
  return Object.fromEntries(entries.map(([name, crop]) => [name, cropOf(name, crop, { known, scales, picture })]));
}

function cropOf(
  name: string,
  value: unknown,
  { known = {}, scales, picture }: { known: PictureMarks['crops']; scales: ScaleTable | undefined; picture: Size },
): Crop {
  const present = Object.hasOwn(known, name) ? known[name] : undefined;
  // Clients send back the crop of a removed scale with the rest of the picture.
  if (scales && !Object.hasOwn(scales, name) && !present)
    throw new FieldError(`The crops name the scale "${name}", which this site does not have.`);
  const crop = parseCrop(value);
  if (!crop)
    throw new FieldError(
      `The crop of the scale "${name}" must be an object of x, y, width and height, from 0 to 1 and inside of the picture.`,
    );
  const { width, height } = picture;
  // Stored crops stay valid: they are older than this check.
  if (!hasPixels(crop, picture) && !isDeepStrictEqual(crop, present))
    throw new FieldError(
      `The crop of the scale "${name}" is too small: it must have at least one of the ${width} × ${height} pixels of the picture.`,
    );
  return crop;
}
