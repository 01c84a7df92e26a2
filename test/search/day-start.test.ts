import { describe, expect, it } from 'vitest';
import { dayEnd, dayStart } from '../../src/core/search/querystring/day-start.ts';

describe('the beginning of a day', () => {
  it.each([
    ['2026-03-28T23:30:00Z', 0, 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    // The day on which clocks are put forward has 23 hours.
    ['2026-03-29T12:00:00Z', 1, 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25T12:00:00Z', 0, 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-01-01T03:00:00Z', 0, 'America/New_York', '2025-12-31T05:00:00.000Z'],
    ['2026-05-05T12:00:00Z', -5, 'UTC', '2026-04-30T00:00:00.000Z'],
  ])('the start of the day %s and %i days in %s is %s', (now, days, zone, start) => {
    expect(dayStart(new Date(now), days, zone).toISOString()).toBe(start);
  });

  it('the start of a day is a second after the end of the day before', () => {
    const now = new Date('2026-03-29T12:00:00Z');
    expect(dayEnd(now, 0, 'Europe/Berlin').getTime() + 1000).toBe(dayStart(now, 1, 'Europe/Berlin').getTime());
  });
});
