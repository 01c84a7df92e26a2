import { DAY_MS } from './milliseconds.ts';
/** The clocks of a time zone. `wall` is their time, in the milliseconds at which the clocks of UTC show the same time. */
export type Clocks = {
  /** The difference of the clocks from UTC at an instant, in milliseconds. */
  offsetAt(instant: number): number;
  wallOf(instant: number): number;
  /**
   * The instant at which the clocks show a time: the first one if they show it twice; by the offset before the change if they skip it (RFC 5545,
   * 3.3.5).
   */
  instantOf(wall: number): number;
};

/** Milliseconds within which clocks are not changed twice: even in Morocco they stay the same for a month. */
const PERIOD = 28 * DAY_MS;

const UTC: Clocks = { offsetAt: () => 0, wallOf: (instant) => instant, instantOf: (wall) => wall };

/** The names that this system lists, and the name that most sites use. The system has further names, but asking for them is slow. */
const LISTED: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);

/** True if this system has a time zone of this name. */
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

/** The clocks of a time zone of this system, for one piece of work, because they cache their results. Throws RangeError for other names. */
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
  // In nearly all periods the clocks are not changed, and asking for an offset is slow.
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
