import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corrected, isIn, numberSetOf } from '../../src/lib/number-sets.ts';

const numbers = fc.array(fc.nat({ max: 40 }));
const set = (list: readonly number[]) => numberSetOf(list) ?? new Uint32Array();
const ascending = (list: Iterable<number>) => [...new Set(list)].sort((a, b) => a - b);

describe('sets of numbers', () => {
  it('have each number once, ascending', () => {
    fc.assert(fc.property(numbers, (list) => void expect([...set(list)]).toEqual(ascending(list))));
  });

  it('know their numbers', () => {
    fc.assert(
      fc.property(
        numbers,
        fc.nat({ max: 40 }),
        (list, one) => void expect(isIn(set(list), one)).toBe(list.includes(one)),
      ),
    );
  });

  it('are corrected by a second look at some numbers, and stay as they are otherwise', () => {
    fc.assert(
      fc.property(numbers, numbers, numbers, (list, looked, some) => {
        const asked = ascending(looked);
        const found = new Set(some.filter((one) => asked.includes(one)));
        const before = set(list);
        const expected = ascending([...list.filter((one) => !asked.includes(one)), ...found]);
        const after = corrected(before, asked, found);
        expect([...after]).toEqual(expected);
        expect([...before]).toEqual(ascending(list));
        if (expected.length === before.length && expected.every((one, at) => one === before[at]))
          expect(after).toBe(before);
      }),
    );
  });

  it.each([[-1], [0.5], [2 ** 32], [Number.NaN]])('do not have %d', (number) => {
    expect(numberSetOf([1, number])).toBeUndefined();
  });

  it('have the greatest number of 32 bits', () => {
    expect(isIn(set([2 ** 32 - 1]), 2 ** 32 - 1)).toBe(true);
  });
});
