import { parseInstant } from '../lib/iso-date.ts';
import { expandRecurrence } from '../lib/recurrence.ts';

/** Times of one event that are kept: about eight years of every day. */
const MAX_TIMES = 3000;
/** How far from its beginning an event without an end is followed, in milliseconds: 30 years. */
const FARTHEST = 30 * 365.25 * 86_400_000;
const LAST = Date.UTC(9999, 11, 31);

const instant = (value: unknown): Date | undefined => (typeof value === 'string' ? parseInstant(value) : undefined);

/** Points in time as PostgreSQL writes a multirange. */
const points = (times: readonly number[]): string =>
  `{${times.map((time) => new Date(time).toISOString()).map((text) => `[${text},${text}]`)}}`;

/**
 * When an object begins and ends, as texts of tstzmultirange: one point for each time that it takes place. Null for what
 * has no such date. It depends on nothing but the fields, so that an index that is built anew is the same.
 */
export function eventTimes(fields: Record<string, unknown>): { starts: string | null; ends: string | null } {
  const start = instant(fields.start);
  const end = instant(fields.end);
  if (!start) return { starts: null, ends: end ? points([end.getTime()]) : null };
  const to = new Date(Math.min(start.getTime() + FARTHEST, LAST));
  const recurrence = typeof fields.recurrence === 'string' ? fields.recurrence : '';
  const times =
    recurrence === '' ? [start] : expandRecurrence(recurrence, start, { from: start, to, limit: MAX_TIMES });
  const starts = times.map((time) => time.getTime());
  const length = end ? end.getTime() - start.getTime() : 0;
  return {
    starts: points(starts),
    ends: end ? points(starts.map((time) => time + length).filter((time) => time <= LAST)) : null,
  };
}
