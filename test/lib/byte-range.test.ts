import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRange } from '../../src/lib/http/http-headers.ts';

describe('parseRange', () => {
  it.each([
    ['bytes=5-9', { start: 5, end: 9 }],
    ['bytes=20-', { start: 20, end: 99 }],
    ['bytes=-4', { start: 96, end: 99 }],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['BYTES= 5-9 ', { start: 5, end: 9 }],
  ])('the header %s is a range of 100 bytes', (header, range) => {
    expect(parseRange(header, 100)).toEqual(range);
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', `bytes=${'9'.repeat(20)}-`])(
    'the range %s of 100 bytes is unsatisfiable',
    (header) => {
      expect(parseRange(header, 100)).toBe('unsatisfiable');
    },
  );

  it.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=9-5',
    'bytes=0-1,4-5',
    'items=0-5',
    'bytes=a-b',
    'bytes=1-2-3',
    'bytes: 0-5',
  ])('the range %s is ignored', (header) => {
    expect(parseRange(header, 100)).toBe('whole');
  });

  it('an empty file has no ranges', () => {
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseRange('bytes=-5', 0)).toBe('whole');
  });

  it('a parsed range never exceeds the file', () => {
    fc.assert(
      fc.property(fc.option(fc.nat(), { nil: '' }), fc.option(fc.nat(), { nil: '' }), fc.nat(), (first, last, size) => {
        const range = parseRange(`bytes=${first}-${last}`, size);
        if (typeof range === 'string') return;
        expect(0 <= range.start && range.start <= range.end && range.end < size).toBe(true);
      }),
    );
  });
});
