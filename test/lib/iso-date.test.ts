import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatInstant, parseDate, parseInstant, parseTime } from '../../src/lib/time/iso-date.ts';

const iso = (text: string) => parseInstant(text)?.toISOString();

describe('parseInstant', () => {
  test.each([
    ['2031-03-01T10:00:00Z', '2031-03-01T10:00:00.000Z'],
    ['2031-03-01T10:00:00+02:00', '2031-03-01T08:00:00.000Z'],
    ['2031-03-01T10:00:00-0230', '2031-03-01T12:30:00.000Z'],
    ['2031-03-01T10:00:00+02', '2031-03-01T08:00:00.000Z'],
    ['2031-03-01T10:00:00', '2031-03-01T10:00:00.000Z'],
    ['2031-03-01 10:00', '2031-03-01T10:00:00.000Z'],
    ['2031-03-01 10:00:00 +01:00', '2031-03-01T09:00:00.000Z'],
    ['2031-03-01t10:00:00z', '2031-03-01T10:00:00.000Z'],
    ['2031-03-01', '2031-03-01T00:00:00.000Z'],
    [' 2031-03-01 ', '2031-03-01T00:00:00.000Z'],
    ['2031-03-01T10:00:00.5Z', '2031-03-01T10:00:00.500Z'],
    ['2031-03-01T10:00:00.123987+00:00', '2031-03-01T10:00:00.123Z'],
    ['2028-02-29T23:59:59,001Z', '2028-02-29T23:59:59.001Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('the date and time %j is %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  test.each([
    '',
    'tomorrow',
    '2031',
    '2031-03',
    '20310301',
    '2031-3-1',
    '2031-13-01',
    '2031-00-01',
    '2031-02-30',
    '2031-02-29',
    '2031-04-31T00:00:00Z',
    '2031-03-00',
    '0000-01-01',
    '+012031-03-01',
    '-2031-03-01',
    '2031-03-01T',
    '2031-03-01T10',
    '2031-03-01T24:00:00Z',
    '2031-03-01T10:60:00Z',
    '2031-03-01T10:00:60Z',
    '2031-03-01T10:00:00+25:00',
    '2031-03-01T10:00:00+02:75',
    '2031-03-01T10:00:00.Z',
    '2031-03-01X10:00:00',
    '2031-03-01T10:00:00ZZ',
    '2031-03-01T10:00:00Z; drop',
    '2031-03-01T10:00:00 GMT',
    '٢٠٣١-03-01',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    `2031-03-01T10:00:00.${'1'.repeat(1_000_000)}Z`,
  ])('the text %.60j is no date and time', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test('parseInstant parses whatever formatInstant writes', () => {
    const dates = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(dates, (date) => parseInstant(formatInstant(date))?.getTime() === date.getTime()));
  });
});

describe('parseDate', () => {
  test('parseDate returns the day as it is written', () => {
    expect(parseDate('2031-03-01')).toBe('2031-03-01');
    expect(parseDate('2031-03-01T01:00:00+05:00')).toBe('2031-03-01');
    for (const text of ['2031-02-30', '10:30', 'now', '']) expect(parseDate(text)).toBeUndefined();
  });
});

describe('parseTime', () => {
  test('parseTime returns the time as it is written', () => {
    expect(parseTime('10:30')).toBe('10:30:00');
    expect(parseTime('10:30:05.25')).toBe('10:30:05.250');
    expect(parseTime('10:30:05+02:00')).toBe('10:30:05');
    expect(parseTime('2031-03-01T10:30:00-03:00')).toBe('10:30:00');
    for (const text of ['24:00', '10:60', '1030', '2031-03-01', '2031-02-30T10:00:00', '10:30 pm', ''])
      expect(parseTime(text)).toBeUndefined();
  });
});
