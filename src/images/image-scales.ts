/** Width and height in pixels. */
export type Size = { width: number; height: number };

/** Largest width and height of a scale, in pixels; 65536 means that this side is not limited. */
export type Box = readonly [width: number, height: number];

/** The scales of a site: name → box. */
export type ScaleTable = Readonly<Record<string, Box>>;

/** plone.volto's scales and Plone's `listing`, which that leaves as it is. */
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

const LINE = /^([\w-]{1,100}) +(\d{1,5}):(\d{1,5})$/;

/** The scale that a line such as `large 800:65536` describes; undefined for a line of another form. */
export function parseScaleLine(line: string): { name: string; box: Box } | undefined {
  const [, name, width, height] = LINE.exec(line) ?? [];
  const box: Box = [Number(width), Number(height)];
  return name === undefined || box[0] < 1 || box[1] < 1 ? undefined : { name, box };
}

/** The size of a picture made to fit inside the box: its proportions are kept, it is never enlarged. */
export function fitInside({ width, height }: Size, [boxWidth, boxHeight]: Box): Size {
  const ratio = Math.min(boxWidth / width, boxHeight / height, 1);
  return { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) };
}

/**
 * The scales that are not larger than the picture, each with its own size: what `image_scales` lists (plone.restapi).
 * None for a picture that could not be measured (width or height -1 or 0).
 */
export function scaleSizes(width: number, height: number, table: ScaleTable): Record<string, Size> {
  const fitting = Object.entries(table).filter(([, [boxWidth, boxHeight]]) => boxWidth <= width || boxHeight <= height);
  return sizesOf({ width, height }, fitting);
}

/**
 * All scales; those whose box is larger than the picture have its size: what plone.restapi lists as `scales` of an
 * image field. None for a picture that could not be measured (width or height -1 or 0).
 */
export function allScaleSizes(width: number, height: number, table: ScaleTable): Record<string, Size> {
  return sizesOf({ width, height }, Object.entries(table));
}

/**
 * What `@@images/<field>-<width>-<hash>.<ext>` means for a picture of this size: the box of the scale that comes out
 * that wide, `original` for its own width and for 0 (a picture that could not be measured), undefined (404) for
 * another width, lest a client has scales of every width made.
 */
export function boxForWidth(original: Size, width: number, table: ScaleTable): Box | 'original' | undefined {
  if (width === 0 || width === original.width) return 'original';
  if (!isMeasured(original)) return undefined;
  return Object.values(table).find((box) => fitInside(original, box).width === width);
}

function sizesOf(original: Size, boxes: (readonly [name: string, box: Box])[]): Record<string, Size> {
  return isMeasured(original) ? Object.fromEntries(boxes.map(([name, box]) => [name, fitInside(original, box)])) : {};
}

function isMeasured({ width, height }: Size): boolean {
  return width > 0 && height > 0;
}
