import { isJsonObject } from '../../../lib/json-object.ts';
import type { Size } from './image-scales.ts';

/** A place in a picture, as shares of its width and height from 0 to 1: `{x: 0.5, y: 0}` is the middle of its upper edge. */
export type FocalPoint = { x: number; y: number };

/** A part of a picture: its upper left corner and its size, as shares of the size of the picture. */
export type Crop = FocalPoint & Size;

/** Marks of editors in a picture: the point that must be visible, and the crops of scales by their names. */
export type PictureMarks = { focal_point?: FocalPoint; crops?: Readonly<Record<string, Crop>> };

/** The data of a picture from which scales are made: its size in pixels, and its marks. */
export type MarkedPicture = Size & PictureMarks;

/** A part of a picture in whole pixels. */
export type Region = Size & { left: number; top: number };

/** Tolerance of sums of shares: written by hand or by dragging, they may be a little over one. */
const ROUNDING = 1e-6;

/** The crop in pixels of the picture, inside the picture and of at least one pixel. */
export function regionOf({ x, y, width, height }: Crop, picture: Size): Region {
  const left = Math.min(Math.round(x * picture.width), picture.width - 1);
  const top = Math.min(Math.round(y * picture.height), picture.height - 1);
  return {
    left,
    top,
    width: Math.max(1, Math.min(Math.round(width * picture.width), picture.width - left)),
    height: Math.max(1, Math.min(Math.round(height * picture.height), picture.height - top)),
  };
}

/** Says if a crop has a pixel of the picture or more, rounded as `regionOf` does. */
export const hasPixels = ({ width, height }: Crop, picture: Size): boolean =>
  Math.round(width * picture.width) >= 1 && Math.round(height * picture.height) >= 1;

/**
 * The largest part of the region that has the proportions of `box` and the focal point as near to its middle as possible; without a focal point the
 * middle of the region.
 */
export function cutTo(region: Region, box: Size, picture: MarkedPicture): Region {
  const ratio = Math.min(region.width / box.width, region.height / box.height);
  const width = Math.max(1, Math.min(region.width, Math.round(box.width * ratio)));
  const height = Math.max(1, Math.min(region.height, Math.round(box.height * ratio)));
  const point = picture.focal_point;
  const middle = point
    ? { x: point.x * picture.width, y: point.y * picture.height }
    : { x: region.left + region.width / 2, y: region.top + region.height / 2 };
  const within = (wanted: number, from: number, room: number) =>
    Math.min(Math.max(Math.round(wanted), from), from + room);
  return {
    left: within(middle.x - width / 2, region.left, region.width - width),
    top: within(middle.y - height / 2, region.top, region.height - height),
    width,
    height,
  };
}

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

const hasOnly = (value: object, keys: readonly string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key));

/** The focal point that a client sent; undefined for an invalid one. */
export function parseFocalPoint(value: unknown): FocalPoint | undefined {
  if (!isJsonObject(value) || !hasOnly(value, ['x', 'y'])) return undefined;
  const { x, y } = value;
  return isShare(x) && isShare(y) ? { x, y } : undefined;
}

/** The crop that a client sent; undefined for an invalid crop, which is empty or outside of the picture. */
export function parseCrop(value: unknown): Crop | undefined {
  if (!isJsonObject(value) || !hasOnly(value, ['x', 'y', 'width', 'height'])) return undefined;
  const { x, y, width, height } = value;
  if (!isShare(x) || !isShare(y) || !isShare(width) || !isShare(height) || width === 0 || height === 0)
    return undefined;
  return x + width > 1 + ROUNDING || y + height > 1 + ROUNDING ? undefined : { x, y, width, height };
}
