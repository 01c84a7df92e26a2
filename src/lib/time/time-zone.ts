import { DAY_MS } from './milliseconds.ts';
/** The clocks of a time zone. `wall` is what they show, as the milliseconds at which those of UTC show the same. */
export type Clocks = {
  /** By how much they are ahead of UTC at an instant, in milliseconds. */
  offsetAt(instant: number): number;
  wallOf(instant: number): number;
  /**
   * The instant at which they show it: the first one where they show it twice, and by the offset before the change where they
   * pass it over (RFC 5545, 3.3.5).
   */
  instantOf(wall: number): number;
};

/** Clocks are not set twice within this time, in milliseconds: even in Morocco they stay as they are for a month. */
const PERIOD = 28 * DAY_MS;

const UTC: Clocks = { offsetAt: () => 0, wallOf: (instant) => instant, instantOf: (wall) => wall };

/** The names that this system lists, and the one that most sites have. It knows more, but it is slow to ask. */
const LISTED: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);

/** True if this system has a time zone of that name. */
export function isTimeZone(name: string): boolean {
  if (LISTED.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The clocks of a time zone that this system knows, for one piece of work: they remember what they were asked about.
 * Throws RangeError for other names.
 */
export function clocksOf(timeZone: string): Clocks {
  if (timeZone === 'UTC') return UTC;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const exactOffset = (instant: number): number => {
    const parts = new Map<string, string>(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const of = (type: string) => Number(parts.get(type));
    const wall = new Date(0);
    wall.setUTCFullYear(parts.get('era') === 'BC' ? 1 - of('year') : of('year'), of('month') - 1, of('day'));
    wall.setUTCHours(of('hour'), of('minute'), of('second'));
    return wall.getTime() - Math.floor(instant / 1000) * 1000;
  };
  const atStart = new Map<number, number>();
  const offsetAtStart = (period: number): number => {
    const offset = atStart.get(period) ?? exactOffset(period * PERIOD);
    atStart.set(period, offset);
    return offset;
  };
  // In nearly all periods the clocks are not set, and to ask is slow.
  const offsetAt = (instant: number): number => {
    const period = Math.floor(instant / PERIOD);
    const offset = offsetAtStart(period);
    return offset === offsetAtStart(period + 1) ? offset : exactOffset(instant);
  };
  return {
    offsetAt,
    wallOf: (instant) => instant + offsetAt(instant),
    instantOf(wall) {
      const before = wall - offsetAt(wall - DAY_MS);
      const after = wall - offsetAt(wall + DAY_MS);
      if (before === after) return before;
      const found = [before, after].sort((a, b) => a - b).find((instant) => instant + offsetAt(instant) === wall);
      return found ?? before;
    },
  };
}
