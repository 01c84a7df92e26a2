import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allScaleSizes,
  cutFor,
  cutForWidth,
  DEFAULT_SCALES,
  fitInside,
  parseScaleLine,
  scaleSizes,
  sizeOfCut,
} from '../../src/core/files/images/image-scales.ts';

describe('scaleSizes', () => {
  it('scaleSizes returns the size of every scale of a large picture', () => {
    expect(scaleSizes({ width: 1000, height: 500 }, DEFAULT_SCALES)).toEqual({
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
    expect(Object.keys(scaleSizes({ width: 100, height: 50 }, DEFAULT_SCALES))).toEqual(['tile', 'icon', 'listing']);
    expect(scaleSizes({ width: 10, height: 10 }, DEFAULT_SCALES)).toEqual({});
  });

  it('scaleSizes limits a tall picture by its height', () => {
    expect(scaleSizes({ width: 300, height: 600 }, DEFAULT_SCALES)).toMatchObject({
      thumb: { width: 64, height: 128 },
      mini: { width: 200, height: 400 },
    });
    expect(scaleSizes({ width: 100, height: 300 }, DEFAULT_SCALES)).toHaveProperty('thumb', { width: 43, height: 128 });
  });

  it('scaleSizes returns no scales for a picture without a known size', () => {
    for (const side of [-1, 0]) {
      expect(scaleSizes({ width: side, height: side }, DEFAULT_SCALES)).toEqual({});
      expect(allScaleSizes({ width: side, height: side }, DEFAULT_SCALES)).toEqual({});
    }
  });
});

describe('allScaleSizes', () => {
  it('allScaleSizes gives larger scales the size of the picture', () => {
    const sizes = allScaleSizes({ width: 215, height: 56 }, DEFAULT_SCALES);
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

describe('cutForWidth', () => {
  const original = { width: 333, height: 1000 };
  const find = (width: number, region?: string) => cutForWidth(original, { width, region }, TABLE);
  const TABLE = { ...DEFAULT_SCALES, square: [200, 200, 'crop'] as const };

  it('cutForWidth finds the scale whose result has that width', () => {
    expect(find(200)).toEqual({ box: [200, 65536] });
    expect(find(43)).toEqual({ box: [128, 128] });
  });

  it('cutForWidth finds a scale that crops by the part that it shows', () => {
    expect(find(200, '0.334.333.333')).toMatchObject({ box: [200, 200, 'crop'] });
    expect(find(200, '0.333.333.333')).toBeUndefined();
    expect(find(43, '0.334.333.333')).toBeUndefined();
  });

  it('cutForWidth finds the original by its width, or by 0 without a known size', () => {
    expect(find(333)).toBe('original');
    expect(cutForWidth({ width: -1, height: -1 }, { width: 0 }, TABLE)).toBe('original');
  });

  it('cutForWidth finds no scale for any other width', () => {
    expect(find(201)).toBeUndefined();
    expect(find(400)).toBeUndefined();
    expect(cutForWidth({ width: -1, height: -1 }, { width: 400 }, TABLE)).toBeUndefined();
  });
});

describe('scales that crop', () => {
  it('a line of a scale that crops ends with "crop" and has two limited sides', () => {
    expect(parseScaleLine('square 400:300 crop')).toEqual({ name: 'square', box: [400, 300, 'crop'] });
    for (const line of ['square 400:65536 crop', 'square 400:300 fill', 'square 400:300crop', 'square 0:300 crop'])
      expect(parseScaleLine(line)).toBeUndefined();
  });

  it('a scale that crops has the proportions of its box, shows the focal point and stays inside of the picture', () => {
    const side = fc.integer({ min: 1, max: 5000 });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(side, side, side, side, share, share, (width, height, boxWidth, boxHeight, x, y) => {
        const picture = { width, height, focal_point: { x, y } };
        const cut = cutFor(picture, 'any', [boxWidth, boxHeight, 'crop']);
        const region = cut.region ?? { left: 0, top: 0, width, height };
        expect(region.left).toBeGreaterThanOrEqual(0);
        expect(region.top).toBeGreaterThanOrEqual(0);
        expect(region.left + region.width).toBeLessThanOrEqual(width);
        expect(region.top + region.height).toBeLessThanOrEqual(height);
        expect(Math.abs(region.width - Math.min(width, (region.height * boxWidth) / boxHeight))).toBeLessThanOrEqual(
          1 + boxWidth / boxHeight,
        );
        // The marked part is shown.
        expect(x * width).toBeGreaterThanOrEqual(region.left - 1);
        expect(x * width).toBeLessThanOrEqual(region.left + region.width + 1);
        const size = sizeOfCut(picture, cut);
        expect(size.width).toBeLessThanOrEqual(Math.min(boxWidth, width));
        expect(size.height).toBeLessThanOrEqual(Math.min(boxHeight, height));
        if (width >= boxWidth && height >= boxHeight) expect(size).toEqual({ width: boxWidth, height: boxHeight });
      }),
    );
  });
});
