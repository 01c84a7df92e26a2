import { DAY_MS } from '../../../lib/time/milliseconds.ts';
import { clocksOf } from '../../../lib/time/time-zone.ts';

/** The beginning of the day `days` days after `now`, in a time zone. */
export function dayStart(now: Date, days: number, timeZone: string): Date {
  const clocks = clocksOf(timeZone);
  const today = Math.floor(clocks.wallOf(now.getTime()) / DAY_MS);
  return new Date(clocks.instantOf((today + days) * DAY_MS));
}

/** The last second of the day `days` days after `now`. */
export const dayEnd = (now: Date, days: number, timeZone: string): Date =>
  new Date(dayStart(now, days + 1, timeZone).getTime() - 1000);
