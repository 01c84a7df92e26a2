import { describe, expect, it } from 'vitest';
import { parseScaleFileName, scaleFileName } from '../../src/images/open-scale.ts';

const HASH = '0123456789abcdef'.repeat(4);

describe('names of scales', () => {
  it('the file name of a scale has field, width, hash and extension', () => {
    expect(scaleFileName('image', 400, HASH, 'png')).toBe(`image-400-${HASH}.png`);
  });

  it('the file name of a scale is parsed to what it was made from', () => {
    for (const field of ['image', 'preview_image', 'my-image-2', 'a.b']) {
      expect(parseScaleFileName(scaleFileName(field, 64, HASH, 'jpg'))).toEqual({
        field,
        width: 64,
        hash: HASH,
        ext: 'jpg',
      });
    }
  });

  it('the file name of a scale has width 0 for a picture without a known size', () => {
    expect(parseScaleFileName(scaleFileName('image', -1, HASH, 'png'))?.width).toBe(0);
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
  ])('the text %s is no file name of a scale', (name) => {
    expect(parseScaleFileName(name)).toBeUndefined();
  });
});
