/** Crops of pictures: the part that a scale shows. */

/** Shares of the width and the height, from the upper left corner. */
export type Point = { x: number; y: number };
/** A part of a picture, as shares of its width and height. */
export type Crop = Point & Size;
export type Size = { width: number; height: number };

/** The crop that a scale begins with. */
export const FIRST_CROP: Crop = { x: 0.1, y: 0.1, width: 0.8, height: 0.8 };
/** Smallest share of a crop that can be set by hand, in pictures of more than 50 pixels. */
const MIN_SHARE = 0.02;

/** A share within bounds, in thousandths. */
const within = (share: number, from: number, to: number): number =>
  Math.round(Math.min(Math.max(share, from), to) * 1000) / 1000;

/** The crop at another place, inside of the picture. */
export const moved = (crop: Crop, right: number, down: number): Crop => ({
  ...crop,
  x: within(crop.x + right, 0, 1 - crop.width),
  y: within(crop.y + down, 0, 1 - crop.height),
});

/** The crop with another size, inside of the picture and of one pixel at least. */
export const resized = (crop: Crop, right: number, down: number, picture: Size): Crop => ({
  ...crop,
  width: within(crop.width + right, Math.max(MIN_SHARE, 1 / picture.width), 1 - crop.x),
  height: within(crop.height + down, Math.max(MIN_SHARE, 1 / picture.height), 1 - crop.y),
});

/** The proportions of a scale that cuts, width by height, by its line in the settings: `square 300:300 crop`. */
export function proportionsOf(lines: readonly string[], scale: string): number | undefined {
  for (const line of lines) {
    const [, name, width, height] = /^(\S+) +(\d+):(\d+) +crop$/.exec(line) ?? [];
    if (name === scale) return Number(width) / Number(height);
  }
  return undefined;
}

/** The part of a picture in pixels that the scale shows: the crop, cut to the proportions of the scale around the focal point. */
export function partOf(crop: Crop, picture: Size, proportions: number | undefined, point: Point | null): Crop {
  const box = {
    ...{ x: crop.x * picture.width, y: crop.y * picture.height },
    ...{ width: crop.width * picture.width, height: crop.height * picture.height },
  };
  if (proportions === undefined) return box;
  const width = Math.min(box.width, box.height * proportions);
  const height = width / proportions;
  const middle = point
    ? { x: point.x * picture.width, y: point.y * picture.height }
    : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const clamp = (value: number, from: number, room: number): number => Math.min(Math.max(value, from), from + room);
  return {
    x: clamp(middle.x - width / 2, box.x, box.width - width),
    y: clamp(middle.y - height / 2, box.y, box.height - height),
    width,
    height,
  };
}

/** Says if an address of a scale shows the whole picture: that of a part names the part in pixels. */
export const isWhole = (address: string): boolean => !/-\d+(?:\.\d+){3}\.\w+$/.test(address);
