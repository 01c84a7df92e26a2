import sharp, { type Sharp } from 'sharp';
import { MAX_PIXELS } from './read-image.ts';

/** Seconds after which work on one picture is ended. */
const TIME_LIMIT = 60;

// One thread for each picture; the work queue limits the number of concurrent pictures.
sharp.concurrency(1);
// libvips keeps files open and caches results by path, which is useless for temporary files of a single use.
sharp.cache(false);
// Readers of rare formats have the security holes; SVG in particular could read other files.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((format) => `VipsForeignLoad${format}`),
});

/** Opens a picture (bytes, or the path of a file), bounded in pixels and time; a damaged picture is read as far as possible. */
export function readImage(input: Buffer | string, { animated = false } = {}): Sharp {
  return sharp(input, { limitInputPixels: MAX_PIXELS, failOn: 'none', animated }).timeout({ seconds: TIME_LIMIT });
}
