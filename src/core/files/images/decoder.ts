import sharp, { type Sharp } from 'sharp';
import { MAX_PIXELS } from './read-image.ts';

/** Seconds after which work on one picture is given up. */
const TIME_LIMIT = 60;

// One thread a picture: the work queue decides how many are worked on at a time.
sharp.concurrency(1);
// libvips keeps files open and results in memory by their path, which here is a temporary file of a single use.
sharp.cache(false);
// Readers of rare formats are where the holes are; SVG in particular could read other files.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((format) => `VipsForeignLoad${format}`),
});

/** Opens a picture (bytes, or the path of a file), bounded in pixels and time; damaged ones are read as far as possible. */
export function readImage(input: Buffer | string, { animated = false } = {}): Sharp {
  return sharp(input, { limitInputPixels: MAX_PIXELS, failOn: 'none', animated }).timeout({ seconds: TIME_LIMIT });
}
