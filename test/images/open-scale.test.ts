import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { BlobMissing } from '../../src/core/files/blobs/blob-store.ts';
import { FileBlobStore } from '../../src/core/files/blobs/file-store.ts';
import type { Box } from '../../src/core/files/images/image-scales.ts';
import { openScale, openSmallestScale } from '../../src/core/files/images/open-scale.ts';
import { TooManyRequests } from '../../src/lib/errors.ts';
import { animation, picture } from './pictures.ts';

let dir: string;
let blobs: FileBlobStore;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'canopy-scales-'));
  blobs = await FileBlobStore.open(dir);
});
afterAll(() => rm(dir, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

/** Stores the picture and returns bytes, type and metadata of one of its scales. */
async function scaleOf(bytes: Buffer, contentType: string, box: Box) {
  const { hash } = await blobs.put(bytes);
  const scale = await openScale({ blobs, hash, contentType, cut: { box } });
  if (!scale) return undefined;
  const made = await buffer(scale.stream);
  expect(made).toHaveLength(scale.size);
  return { bytes: made, contentType: scale.contentType, metadata: await sharp(made, { animated: true }).metadata() };
}

describe('openScale', () => {
  it.each(['jpeg', 'png', 'webp', 'gif'] as const)(
    'a scale of a %s fits into the box and keeps the format',
    async (format) => {
      const scale = await scaleOf(await picture(1000, 500)[format]().toBuffer(), `image/${format}`, [400, 65536]);
      expect(scale).toMatchObject({ contentType: `image/${format}`, metadata: { format, width: 400, height: 200 } });
    },
  );

  it('a scale of an AVIF picture is AVIF', async () => {
    const scale = await scaleOf(await picture(100, 50).avif().toBuffer(), 'image/avif', [32, 32]);
    expect(scale).toMatchObject({ contentType: 'image/avif', metadata: { compression: 'av1', width: 32, height: 16 } });
  });

  it('a scale of a picture that browsers do not show is a JPEG', async () => {
    const scale = await scaleOf(await picture(100, 50).tiff().toBuffer(), 'image/tiff', [32, 32]);
    expect(scale).toMatchObject({ contentType: 'image/jpeg', metadata: { format: 'jpeg', width: 32, height: 16 } });
  });

  it('a scale is not larger than the picture', async () => {
    const scale = await scaleOf(await picture(30, 20).png().toBuffer(), 'image/png', [400, 65536]);
    expect(scale).toMatchObject({ metadata: { width: 30, height: 20 } });
  });

  it('a scale of an animation has all frames', async () => {
    for (const format of ['gif', 'webp'] as const) {
      const scale = await scaleOf(await animation(60, 40, format), `image/${format}`, [30, 65536]);
      expect(scale).toMatchObject({ metadata: { format, pages: 3, width: 30, pageHeight: 20 } });
    }
  });

  it('a scale is rotated as the EXIF data say, and has no EXIF data', async () => {
    const turned = await picture(100, 50)
      .withExif({ IFD0: { Copyright: 'where I live' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const scale = await scaleOf(turned, 'image/jpeg', [20, 65536]);
    expect(scale).toMatchObject({ metadata: { width: 20, height: 40 } });
    expect(scale?.metadata.exif).toBeUndefined();
    expect(scale?.metadata.orientation).toBeUndefined();
    // A quarter turn to the right moves the green line from the top to the right.
    const { data, info } = await sharp(scale?.bytes).raw().toBuffer({ resolveWithObject: true });
    const green = (x: number, y: number) => data[(y * info.width + x) * info.channels + 1];
    expect(green(19, 20)).toBeGreaterThan(150);
    expect(green(0, 20)).toBeLessThan(100);
  });

  it('a picture that cannot be decoded has no scale, but its original is served', async () => {
    const { hash } = await blobs.put(Buffer.from('this is no picture'));
    expect(await openScale({ blobs, hash, contentType: 'image/png', cut: { box: [32, 32] } })).toBeUndefined();
    const original = await openScale({ blobs, hash, contentType: 'image/png' });
    expect(original && String(await buffer(original.stream))).toBe('this is no picture');
  });

  it('a drawing that was declared as another picture is not rendered', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>');
    expect(await scaleOf(svg, 'image/png', [32, 32])).toBeUndefined();
  });

  it('every scale of a drawing is the drawing itself', async () => {
    const { hash, size } = await blobs.put(Buffer.from('<svg width="40" height="20"/>'));
    const scale = await openScale({ blobs, hash, contentType: 'image/svg+xml', cut: { box: [16, 16] } });
    expect(scale).toMatchObject({ contentType: 'image/svg+xml', size });
    scale?.stream.destroy();
  });

  it('a scale is made once for all concurrent and later requests', async () => {
    const { hash } = await blobs.put(await picture(321, 123).png().toBuffer());
    const made = vi.spyOn(blobs, 'putDerived');
    const request = { blobs, hash, contentType: 'image/png', cut: { box: [32, 32] as const } };
    const scales = await Promise.all([1, 2, 3].map(() => openScale(request)));
    scales.push(await openScale(request));
    expect(made).toHaveBeenCalledTimes(1);
    for (const scale of scales) expect(scale && (await buffer(scale.stream))).toHaveLength(scale?.size ?? -1);
  });

  it('scales are removed with their original', async () => {
    const { hash } = await blobs.put(await picture(111, 55).png().toBuffer());
    const request = { blobs, hash, contentType: 'image/png', cut: { box: [32, 32] as const } };
    (await openScale(request))?.stream.destroy();
    await blobs.remove(hash);
    await expect(openScale(request)).rejects.toThrow(BlobMissing);
    await expect(openScale({ blobs, hash, contentType: 'image/png' })).rejects.toThrow(BlobMissing);
  });

  it('a scale can show a part of the picture as it is rotated, and of all frames of an animation', async () => {
    const region = { left: 0, top: 0, width: 50, height: 10 };
    const { hash } = await blobs.put(
      await picture(100, 50).withMetadata({ orientation: 6 }).jpeg({ quality: 100 }).toBuffer(),
    );
    const top = await openScale({ blobs, hash, contentType: 'image/jpeg', cut: { box: [50, 65536], region } });
    const { data, info } = await sharp(top && (await buffer(top.stream)))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([50, 10]);
    // The green line is at the right edge of the turned picture.
    const green = (x: number) => data[(5 * info.width + x) * info.channels + 1];
    expect([green(48), green(10)]).toEqual([expect.closeTo(255, -2), expect.closeTo(0, -2)]);
    const moving = await blobs.put(await animation(60, 40, 'gif'));
    const frames = await openScale({
      ...{ blobs, hash: moving.hash, contentType: 'image/gif' },
      cut: { box: [20, 20, 'crop'], region: { left: 10, top: 0, width: 40, height: 40 } },
    });
    const metadata = await sharp(frames && (await buffer(frames.stream)), { animated: true }).metadata();
    expect(metadata).toMatchObject({ pages: 3, width: 20, pageHeight: 20 });
  });

  it('a scale is in the first of the formats in which it is smaller, or else in its own', async () => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 };
    const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#888', noise } })
      .jpeg()
      .toBuffer();
    const { hash } = await blobs.put(photo);
    const request = { blobs, hash, contentType: 'image/jpeg', cut: { box: [200, 65536] as const } };
    const open = async (...formats: ('image/avif' | 'image/webp')[]) => {
      const scale = await openSmallestScale(request, formats);
      scale?.stream.destroy();
      return scale;
    };
    const own = await open();
    expect(own?.contentType).toBe('image/jpeg');
    for (const type of ['image/avif', 'image/webp'] as const) {
      const smaller = await open(type);
      expect(smaller?.contentType).toBe(type);
      expect(smaller?.size).toBeLessThan(own?.size ?? 0);
    }
    expect((await open('image/avif', 'image/webp'))?.contentType).toBe('image/avif');
    const made = vi.spyOn(blobs, 'putDerived');
    const dot = await blobs.put(await picture(4, 4).png({ palette: true }).toBuffer());
    const small = () =>
      openSmallestScale({ blobs, hash: dot.hash, contentType: 'image/png', cut: { box: [2, 2] } }, ['image/avif']);
    for (const scale of [await small(), await small()]) {
      expect(scale?.contentType).toBe('image/png');
      scale?.stream.destroy();
    }
    // The scale, and once that it is not smaller as AVIF.
    expect(made).toHaveBeenCalledTimes(2);
  });

  it('a scale that stands in for a format whose making has no place is provisional', async () => {
    const { hash } = await blobs.put(await picture(600, 400).jpeg().toBuffer());
    const request = { blobs, hash, contentType: 'image/jpeg', cut: { box: [200, 65536] as const } };
    const open = vi.spyOn(blobs, 'openDerived');
    const real = FileBlobStore.prototype.openDerived.bind(blobs);
    open.mockImplementation(async (blob, name) => {
      if (name.startsWith('smaller-') && name.includes('avif')) throw new TooManyRequests('Too many pictures', 1);
      return real(blob, name);
    });
    for (const [formats, type, isProvisional] of [
      [['image/avif', 'image/webp'], 'image/webp', true],
      [['image/avif'], 'image/jpeg', true],
      [['image/webp'], 'image/webp', false],
    ] as const) {
      const scale = await openSmallestScale(request, formats);
      scale?.stream.destroy();
      expect(scale).toMatchObject({ contentType: type, isProvisional });
    }
  });

  it('an animation keeps its format and its frames', async () => {
    const { hash } = await blobs.put(await animation(60, 40, 'webp'));
    const scale = await openSmallestScale({ blobs, hash, contentType: 'image/webp', cut: { box: [30, 65536] } }, [
      'image/avif',
    ]);
    expect(scale?.contentType).toBe('image/webp');
    expect(await sharp(scale && (await buffer(scale.stream)), { animated: true }).metadata()).toMatchObject({
      pages: 3,
    });
  });
});
