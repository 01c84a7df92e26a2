import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allScaleSizes, boxForWidth, DEFAULT_SCALES, fitInside, scaleSizes } from '../../src/images/image-scales.ts';

describe('scaleSizes', () => {
  it('scaleSizes returns the size of every scale of a large picture', () => {
    expect(scaleSizes(1000, 500, DEFAULT_SCALES)).toEqual({
      larger: { width: 1000, height: 500 },
      large: { width: 800, height: 400 },
      teaser: { width: 600, height: 300 },
      preview: { width: 400, height: 200 },
      mini: { width: 200, height: 100 },
      thumb: { width: 128, height: 64 },
      tile: { width: 64, height: 32 },
      icon: { width: 32, height: 16 },
      listing: { width: 16, height: 8 },
    });
  });

  it('scaleSizes leaves out scales that are larger than the picture', () => {
    expect(Object.keys(scaleSizes(100, 50, DEFAULT_SCALES))).toEqual(['tile', 'icon', 'listing']);
    expect(scaleSizes(10, 10, DEFAULT_SCALES)).toEqual({});
  });

  it('scaleSizes limits a tall picture by its height', () => {
    expect(scaleSizes(300, 600, DEFAULT_SCALES)).toMatchObject({
      thumb: { width: 64, height: 128 },
      mini: { width: 200, height: 400 },
    });
    expect(scaleSizes(100, 300, DEFAULT_SCALES)).toHaveProperty('thumb', { width: 43, height: 128 });
  });

  it('scaleSizes returns no scales for a picture without a known size', () => {
    for (const side of [-1, 0]) {
      expect(scaleSizes(side, side, DEFAULT_SCALES)).toEqual({});
      expect(allScaleSizes(side, side, DEFAULT_SCALES)).toEqual({});
    }
  });
});

describe('allScaleSizes', () => {
  it('allScaleSizes gives larger scales the size of the picture', () => {
    const sizes = allScaleSizes(215, 56, DEFAULT_SCALES);
    expect(Object.keys(sizes)).toEqual(Object.keys(DEFAULT_SCALES));
    expect(sizes).toMatchObject({
      huge: { width: 215, height: 56 },
      mini: { width: 200, height: 52 },
      listing: { width: 16, height: 4 },
    });
  });
});

describe('fitInside', () => {
  it('fitInside neither enlarges nor exceeds the box nor makes a side empty', () => {
    const side = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(side, side, side, side, (width, height, boxWidth, boxHeight) => {
        const fitted = fitInside({ width, height }, [boxWidth, boxHeight]);
        expect(fitted.width).toBeLessThanOrEqual(Math.min(width, boxWidth));
        expect(fitted.height).toBeLessThanOrEqual(Math.min(height, boxHeight));
        expect(Math.min(fitted.width, fitted.height)).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});

describe('boxForWidth', () => {
  const original = { width: 333, height: 1000 };

  it('boxForWidth finds the scale whose result has that width', () => {
    expect(boxForWidth(original, 200, DEFAULT_SCALES)).toEqual([200, 65536]);
    expect(boxForWidth(original, 43, DEFAULT_SCALES)).toEqual([128, 128]);
  });

  it('boxForWidth finds the original by its width, or by 0 without a known size', () => {
    expect(boxForWidth(original, 333, DEFAULT_SCALES)).toBe('original');
    expect(boxForWidth({ width: -1, height: -1 }, 0, DEFAULT_SCALES)).toBe('original');
  });

  it('boxForWidth finds no scale for any other width', () => {
    expect(boxForWidth(original, 201, DEFAULT_SCALES)).toBeUndefined();
    expect(boxForWidth(original, 400, DEFAULT_SCALES)).toBeUndefined();
    expect(boxForWidth({ width: -1, height: -1 }, 400, DEFAULT_SCALES)).toBeUndefined();
  });
});
