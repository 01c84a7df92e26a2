const DAY = 86_400_000;

/** By how much the clocks of a time zone are ahead of UTC at an instant, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return wall - Math.floor(at / 1000) * 1000;
}

/** Whether this system knows a time zone by that name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The beginning of the day `days` after the one of `now`, by the clocks of a time zone. */
export function dayStart(now: Date, days: number, timeZone: string): Date {
  const today = Math.floor((now.getTime() + offsetAt(now.getTime(), timeZone)) / DAY);
  const wall = (today + days) * DAY;
  // The offset that counts is the one at the beginning of that day, which the first guess is near to.
  const guess = wall - offsetAt(wall, timeZone);
  return new Date(wall - offsetAt(guess, timeZone));
}

/** The last second of the day `days` after the one of `now`. */
export const dayEnd = (now: Date, days: number, timeZone: string): Date =>
  new Date(dayStart(now, days + 1, timeZone).getTime() - 1000);
