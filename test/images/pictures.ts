import type { Sharp } from 'sharp';
import sharp from 'sharp';

/** A picture of one colour, with a line along its top so that turning shows. */
export function picture(width: number, height: number, background = '#cc0000'): Sharp {
  const line = {
    create: { width, height: Math.max(1, Math.round(height / 10)), channels: 3 as const, background: '#00ff00' },
  };
  return sharp({ create: { width, height, channels: 3, background } }).composite([{ input: line, gravity: 'north' }]);
}

/** A GIF or WebP of several frames that differ. */
export async function animation(width: number, height: number, format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(
    ['#ff0000', '#00ff00', '#0000ff'].map((colour) => picture(width, height, colour).png().toBuffer()),
  );
  return sharp(frames, { join: { animated: true } })
    [format]()
    .toBuffer();
}

/** A photograph, as far as its size in bytes goes. */
export const photo = (
  width: number,
  height: number,
  { format = 'jpeg', mean = 128 }: { format?: 'jpeg' | 'png' | 'gif'; mean?: number } = {},
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean, sigma: 30 } } })
    .toFormat(format)
    .toBuffer();
