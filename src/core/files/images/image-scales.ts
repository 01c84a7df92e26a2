import { cutTo, type MarkedPicture, type Region, regionOf } from './picture-marks.ts';

/** Width and height in pixels. */
export type Size = { width: number; height: number };

/**
 * Largest width and height of a scale, in pixels; 65536 means that this side is not limited. With `crop` the scale always has the proportions of the
 * box, and the rest of the picture is cut off.
 */
export type Box = readonly [width: number, height: number, mode?: 'crop'];

/** The scales of a site: name → box. */
export type ScaleTable = Readonly<Record<string, Box>>;

/** Source of a scale: the shown part of the picture, the whole picture unless given, and the box for this part. */
export type Cut = { box: Box; region?: Region };

/** plone.volto's scales and Plone's `listing`, which plone.volto does not change. */
export const DEFAULT_SCALES: ScaleTable = {
  '4k': [4000, 65536],
  '2k': [2000, 65536],
  huge: [1600, 65536],
  great: [1200, 65536],
  larger: [1000, 65536],
  large: [800, 65536],
  teaser: [600, 65536],
  preview: [400, 65536],
  mini: [200, 65536],
  thumb: [128, 128],
  tile: [64, 64],
  icon: [32, 32],
  listing: [16, 16],
};

/** The length of a side without a limit. */
export const UNLIMITED = 65536;

const LINE = /^([\w-]{1,100}) +(\d{1,5}):(\d{1,5})( +crop)?$/;

/** The scale that a line such as `large 800:65536` or `square 400:400 crop` describes; undefined for a line of another form. */
export function parseScaleLine(line: string): { name: string; box: Box } | undefined {
  const [, name, width, height, crop] = LINE.exec(line) ?? [];
  const box: Box = crop ? [Number(width), Number(height), 'crop'] : [Number(width), Number(height)];
  if (name === undefined || box[0] < 1 || box[1] < 1) return undefined;
  return crop && (box[0] === UNLIMITED || box[1] === UNLIMITED) ? undefined : { name, box };
}

/** The size of a picture scaled to fit inside the box, with its proportions, and never enlarged. */
export function fitInside({ width, height }: Size, [boxWidth, boxHeight]: Box): Size {
  const ratio = Math.min(boxWidth / width, boxHeight / height, 1);
  return { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) };
}

/** Returns the cut for the scale of this name and box: the crop of this name, and for a box with `crop` a part with its proportions. */
export function cutFor(picture: MarkedPicture, name: string, box: Box): Cut {
  const crop = picture.crops && Object.hasOwn(picture.crops, name) ? picture.crops[name] : undefined;
  const whole = { left: 0, top: 0, width: picture.width, height: picture.height };
  const marked = crop ? regionOf(crop, picture) : whole;
  const region = box[2] === 'crop' ? cutTo(marked, { width: box[0], height: box[1] }, picture) : marked;
  return region.width === picture.width && region.height === picture.height ? { box } : { box, region };
}

/** The size of a cut of the picture. */
export function sizeOfCut(picture: Size, { box, region = { left: 0, top: 0, ...picture } }: Cut): Size {
  // Pixels are whole, so the region has only nearly the proportions of the box; a scale as large as the box has them exactly.
  if (box[2] === 'crop' && region.width >= box[0] && region.height >= box[1]) return { width: box[0], height: box[1] };
  return fitInside(region, box);
}

/** A scale of a picture: its size in pixels, and the shown part; absent for the whole picture. */
export type Scale = Size & { region?: Region };

/**
 * The scales that are not larger than the picture, each with its own size, for `image_scales` (plone.restapi). No scales for a picture that could not
 * be measured (width or height -1 or 0).
 */
export function scaleSizes(picture: MarkedPicture, table: ScaleTable): Record<string, Scale> {
  const { width, height } = picture;
  return scalesOf(
    picture,
    Object.entries(table).filter(([, [boxWidth, boxHeight]]) => boxWidth <= width || boxHeight <= height),
  );
}

/**
 * All scales, as plone.restapi lists them in `scales` of an image field. A scale whose box is larger than the picture has the size of the picture. No
 * scales for a picture that could not be measured (width or height -1 or 0).
 */
export function allScaleSizes(picture: MarkedPicture, table: ScaleTable): Record<string, Scale> {
  return scalesOf(picture, Object.entries(table));
}

/**
 * Returns the cut for `@@images/<field>-<width>-<hash>.<ext>`: the scale with this width and part (the whole picture unless given); `original` for
 * its own width and for 0 (a picture without a known size). Undefined (404) for other values, so that clients cannot request scales of any width.
 */
export function cutForWidth(
  picture: MarkedPicture,
  { width, region }: { width: number; region?: string | undefined },
  table: ScaleTable,
): Cut | 'original' | undefined {
  if (region === undefined && (width === 0 || width === picture.width)) return 'original';
  if (!isMeasured(picture)) return undefined;
  for (const [name, box] of Object.entries(table)) {
    const cut = cutFor(picture, name, box);
    if (sizeOfCut(picture, cut).width === width && regionText(cut.region) === region) return cut;
  }
  return undefined;
}

/** A region in names of files: left, top, width and height, separated by points; empty for a whole picture. */
export const regionText = (region: Region | undefined): string | undefined =>
  region && [region.left, region.top, region.width, region.height].join('.');

function scalesOf(picture: MarkedPicture, boxes: (readonly [name: string, box: Box])[]): Record<string, Scale> {
  if (!isMeasured(picture)) return {};
  return Object.fromEntries(
    boxes.map(([name, box]) => {
      const cut = cutFor(picture, name, box);
      return [name, { ...sizeOfCut(picture, cut), ...(cut.region ? { region: cut.region } : {}) }];
    }),
  );
}

function isMeasured({ width, height }: Size): boolean {
  return width > 0 && height > 0;
}
