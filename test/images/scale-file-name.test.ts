import { describe, expect, it } from 'vitest';
import { parseScaleFileName, scaleFileName } from '../../src/core/files/images/open-scale.ts';

const HASH = '0123456789abcdef'.repeat(4);

describe('names of scales', () => {
  it('the file name of a scale has field, width, hash and extension', () => {
    expect(scaleFileName({ field: 'image', width: 400, hash: HASH, ext: 'png' })).toBe(`image-400-${HASH}.png`);
  });

  it('the file name of a scale is parsed to what it was made from', () => {
    for (const field of ['image', 'preview_image', 'my-image-2', 'a.b']) {
      const parts = { field, width: 64, hash: HASH, ext: 'jpg' };
      expect(parseScaleFileName(scaleFileName(parts))).toEqual(parts);
      const cropped = { ...parts, region: '10.0.300.200' };
      expect(parseScaleFileName(scaleFileName(cropped))).toEqual(cropped);
    }
  });

  it('the file name of a scale has width 0 for a picture without a known size', () => {
    expect(parseScaleFileName(scaleFileName({ field: 'image', width: -1, hash: HASH, ext: 'png' }))?.width).toBe(0);
  });

  it.each([
    'image',
    `image-400-${HASH}`,
    `image--400-${HASH}.png/x`,
    `-400-${HASH}.png`,
    `image-400-${HASH.slice(1)}.png`,
    `image-9999999-${HASH}.png`,
    `image-4e2-${HASH}.png`,
    `i/m-400-${HASH}.png`,
    `image-400-${HASH}-1.2.3.png`,
    `image-400-${HASH}-1.2.3.4.5.png`,
  ])('the text %s is no file name of a scale', (name) => {
    expect(parseScaleFileName(name)).toBeUndefined();
  });
});
