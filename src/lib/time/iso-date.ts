/**
 * Dates and times of day in the forms of clients (ISO 8601, and Plone's "ISO-like" forms). Dates do not roll over: 30 February is rejected, not read
 * as 2 March.
 */

import { clocksOf } from './time-zone.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/;
const OFFSET = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;

/** Milliseconds from 1970 to midnight UTC of a day; undefined when the calendar has no such day. */
function dayStart(text: string): number | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year === 0) return undefined;
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; setUTCFullYear does not.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** Milliseconds from midnight to a time of day; digits below milliseconds are cut off. */
function sinceMidnight(text: string): number | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const milliseconds = Number((match[4] ?? '').padEnd(3, '0').slice(0, 3));
  return ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
}

/** Milliseconds by which a local time with this offset (`Z`, `+02:00`, `+0200`, `+02`) is ahead of UTC. */
function offsetMilliseconds(text: string): number | undefined {
  if (text.toUpperCase() === 'Z') return 0;
  const [hour, minute] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', '') || 0)];
  if (hour > 23 || minute > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hour * 60 + minute) * 60_000;
}

/**
 * The instant that a text names: a date-time with `T` or a space, with an offset, `Z` or none, or a date alone (its midnight). A time without an
 * offset is in `timeZone`, which is UTC unless given, as in plone.restapi. Undefined for other texts, for days and times that do not exist, and for
 * instants outside the years 1 to 9999 UTC.
 */
export function parseInstant(text: string, timeZone = 'UTC'): Date | undefined {
  if (text.length > 64) return undefined;
  const trimmed = text.trim();
  const day = dayStart(trimmed.slice(0, 10));
  if (day === undefined) return undefined;
  if (trimmed.length > 10 && !'Tt '.includes(trimmed.charAt(10))) return undefined;
  const clock = trimmed.slice(11);
  const offsetText = OFFSET.exec(clock)?.[0];
  const time =
    trimmed.length === 10 ? 0 : sinceMidnight(offsetText ? clock.slice(0, -offsetText.length).trimEnd() : clock);
  const offset = offsetText === undefined ? undefined : offsetMilliseconds(offsetText);
  if (time === undefined || (offsetText !== undefined && offset === undefined)) return undefined;
  const instant = new Date(offset === undefined ? clocksOf(timeZone).instantOf(day + time) : day + time - offset);
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999 ? instant : undefined;
}

/**
 * The day that a text names, as `YYYY-MM-DD`: a date, or a date-time, whose day is taken as written, without a change of time zone (as in date fields
 * of plone.restapi). Undefined for other texts.
 */
export function parseDate(text: string): string | undefined {
  return parseInstant(text) === undefined ? undefined : text.trim().slice(0, 10);
}

/**
 * The time of day that a text names, as `HH:MM:SS` or `HH:MM:SS.mmm`: a time (`10:30`), or a date-time, whose time is taken as written (as in time
 * fields of plone.restapi). Undefined for other texts.
 */
export function parseTime(text: string): string | undefined {
  if (text.length > 64) return undefined;
  let clock = text.trim();
  if (clock.charAt(4) === '-') {
    if (parseInstant(clock) === undefined) return undefined;
    clock = clock.slice(11);
  }
  const milliseconds = sinceMidnight(clock.replace(OFFSET, '').trimEnd());
  if (milliseconds === undefined) return undefined;
  const iso = new Date(milliseconds).toISOString();
  return milliseconds % 1000 === 0 ? iso.slice(11, 19) : iso.slice(11, 23);
}

/** ISO 8601 in UTC with milliseconds, the form of every date in a response. Throws RangeError for an invalid Date. */
export function formatInstant(date: Date): string {
  return date.toISOString();
}
