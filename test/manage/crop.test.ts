import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIRST_CROP, isWhole, moved, partOf, proportionsOf, resized } from '../../packages/manage/src/form/crop.ts';
import { cutTo, hasPixels, parseCrop, regionOf } from '../../src/core/files/images/picture-marks.ts';

const side = fc.integer({ min: 1, max: 5000 });
const size = fc.record({ width: side, height: side });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const shift = fc.double({ min: -2, max: 2, noNaN: true });
const WHOLE = { x: 0, y: 0, width: 1, height: 1 };

describe('crops on the page for those who run a site', () => {
  it('the site takes a crop after any moves and changes of its size', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), shift, shift), { maxLength: 12 });
    fc.assert(
      fc.property(size, fc.constantFrom(WHOLE, FIRST_CROP), steps, (picture, first, all) => {
        let crop = first;
        for (const [isMove, right, down] of all) {
          crop = isMove ? moved(crop, right, down) : resized(crop, right, down, picture);
          expect(parseCrop(crop)).toEqual(crop);
        }
        expect(hasPixels(crop, picture)).toBe(true);
      }),
    );
  });

  it('a preview shows the part that the site cuts, apart from the rounding to pixels', () => {
    const large = fc.record({
      width: fc.integer({ min: 200, max: 5000 }),
      height: fc.integer({ min: 200, max: 5000 }),
    });
    const point = fc.option(fc.record({ x: share, y: share }));
    const box = fc.record({ width: fc.integer({ min: 50, max: 400 }), height: fc.integer({ min: 50, max: 400 }) });
    fc.assert(
      fc.property(large, shift, shift, box, point, (picture, right, down, scale, focal) => {
        const crop = moved(resized(WHOLE, -0.4, -0.3, picture), right, down);
        const cut = cutTo(regionOf(crop, picture), scale, { ...picture, ...(focal ? { focal_point: focal } : {}) });
        const part = partOf(crop, picture, scale.width / scale.height, focal);
        // A pixel of the region may be several pixels of the longer side of a flat scale.
        const tolerance = 2 * Math.max(scale.width / scale.height, scale.height / scale.width) + 1;
        for (const [shown, made] of [
          [part.x, cut.left],
          [part.y, cut.top],
          [part.width, cut.width],
          [part.height, cut.height],
        ] as const)
          expect(Math.abs(shown - made)).toBeLessThanOrEqual(tolerance);
      }),
    );
  });

  it('proportions are those of a scale that cuts, and an address of a part is not one of the whole picture', () => {
    const lines = ['large 800:65536', 'square 300:200 crop'];
    expect([proportionsOf(lines, 'square'), proportionsOf(lines, 'large')]).toEqual([1.5, undefined]);
    const hash = 'a1'.repeat(32);
    const name = `/mill/@@images/image-400-${hash}`;
    expect([isWhole(`${name}.png`), isWhole(`${name}-0.0.600.400.png`)]).toEqual([true, false]);
  });
});
