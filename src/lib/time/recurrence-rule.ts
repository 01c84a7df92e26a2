/** The grammar of one recurrence rule (RFC 5545, 3.3.10), parsed strictly. */
import { parseInstant } from './iso-date.ts';
import { DAY_MS } from './milliseconds.ts';

type Frequency = 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY';

/** Monday is 0. `nth` is 0 for every such weekday, 2 for the second, -1 for the last of the month or year. */
type RuleDay = { weekday: number; nth: number };

export type RecurrenceRule = {
  frequency: Frequency;
  interval: number;
  count?: number;
  /** Last possible moment, in milliseconds from 1970: an instant if `utc`, else a local time at the place of the event. */
  until?: { at: number; utc: boolean };
  weekStart: number;
  months: number[];
  weekNumbers: number[];
  yearDays: number[];
  monthDays: number[];
  days: RuleDay[];
  hours: number[];
  minutes: number[];
  seconds: number[];
  positions: number[];
};

/** The error for a rejected recurrence text, with a message for the client. */
export class RecurrenceProblem extends Error {}

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const FREQUENCIES: readonly Frequency[] = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY'];

/** Maximum number of times a day, because each of them costs work on every day of an expansion. */
const TIMES_A_DAY = 100;

const PARTS = new Set(
  'FREQ INTERVAL COUNT UNTIL WKST BYMONTH BYWEEKNO BYYEARDAY BYMONTHDAY BYDAY BYHOUR BYMINUTE BYSECOND BYSETPOS'.split(
    ' ',
  ),
);

/**
 * Parses a compact date (`20260501`) or date-time (`20260501T080000Z`); without `Z` it is a local time at the place of the event. `time` is undefined
 * for a date. Undefined for other texts.
 */
export function parseCompact(text: string): { day: number; time: number | undefined; utc: boolean } | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/.exec(text);
  if (!match) return undefined;
  const [, year, month, date, hour = '00', minute = '00', second = '00', zone] = match;
  const instant = parseInstant(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`);
  if (!instant) return undefined;
  const day = Math.floor(instant.getTime() / DAY_MS);
  const time = match[4] === undefined ? undefined : instant.getTime() - day * DAY_MS;
  return { day, time, utc: zone === 'Z' };
}

function splitParts(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(at, 0));
    if (!PARTS.has(name)) throw new RecurrenceProblem(`"${part.slice(0, 40)}" is no part of a recurrence rule.`);
    if (parts.has(name)) throw new RecurrenceProblem(`${name} stands twice in one rule.`);
    parts.set(name, part.slice(at + 1));
  }
  return parts;
}

function integer(name: string, text: string, low: number, high: number): number {
  const value = /^[+-]?\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= low && value <= high)) throw new RecurrenceProblem(`${name} must be from ${low} to ${high}.`);
  return value;
}

/** A list of numbers; `signed` lists count from the end with negative numbers and have no 0. */
function integers(parts: Map<string, string>, name: string, low: number, high: number, signed = false): number[] {
  const text = parts.get(name);
  if (text === undefined) return [];
  const values = text.split(',').map((item) => integer(name, item, signed ? -high : low, high));
  if (signed && values.includes(0)) throw new RecurrenceProblem(`${name} must not be 0.`);
  return [...new Set(values)].sort((a, b) => a - b);
}

function weekday(name: string, text: string): number {
  const index = WEEKDAYS.indexOf(text);
  if (index < 0) throw new RecurrenceProblem(`${name} takes the weekdays ${WEEKDAYS.join(', ')}.`);
  return index;
}

function ruleDays(parts: Map<string, string>, frequency: Frequency): RuleDay[] {
  const text = parts.get('BYDAY');
  if (text === undefined) return [];
  const items = text.split(',');
  if (items.length > 400) throw new RecurrenceProblem('BYDAY is too long.');
  return items.map((item) => {
    const day = { weekday: weekday('BYDAY', item.slice(-2)), nth: 0 };
    if (item.length === 2) return day;
    if (frequency === 'WEEKLY' || frequency === 'DAILY') {
      throw new RecurrenceProblem(`BYDAY takes numbers such as "${item}" in monthly and yearly rules only.`);
    }
    const nth = integer('BYDAY', item.slice(0, -2), -53, 53);
    if (nth === 0) throw new RecurrenceProblem('BYDAY has no weekday number 0.');
    return { ...day, nth };
  });
}

function untilMoment(text: string): { at: number; utc: boolean } {
  const moment = parseCompact(text);
  if (!moment) throw new RecurrenceProblem('UNTIL must be a date such as 20261231 or 20261231T235959Z.');
  // A date includes its whole day.
  return { at: moment.day * DAY_MS + (moment.time ?? DAY_MS - 1), utc: moment.utc };
}

/**
 * Parses the value of an RRULE or EXRULE, in upper case. Throws RecurrenceProblem with a message for the client. Rules that repeat within a day
 * (HOURLY, MINUTELY, SECONDLY) are rejected: Plone's editor makes none, and their expansion would walk through every second since the event began.
 */
export function parseRule(text: string): RecurrenceRule {
  const parts = splitParts(text);
  const frequency = FREQUENCIES.find((name) => name === parts.get('FREQ'));
  if (frequency === undefined) throw new RecurrenceProblem(`FREQ must be one of ${FREQUENCIES.join(', ')}.`);
  const [count, until] = [parts.get('COUNT'), parts.get('UNTIL')];
  if (count !== undefined && until !== undefined) {
    throw new RecurrenceProblem('A rule ends by COUNT or by UNTIL, not by both.');
  }
  const rule: RecurrenceRule = {
    frequency,
    interval: integer('INTERVAL', parts.get('INTERVAL') ?? '1', 1, 9999),
    ...(count === undefined ? {} : { count: integer('COUNT', count, 1, 999_999) }),
    ...(until === undefined ? {} : { until: untilMoment(until) }),
    weekStart: weekday('WKST', parts.get('WKST') ?? 'MO'),
    months: integers(parts, 'BYMONTH', 1, 12),
    weekNumbers: integers(parts, 'BYWEEKNO', 1, 53, true),
    yearDays: integers(parts, 'BYYEARDAY', 1, 366, true),
    monthDays: integers(parts, 'BYMONTHDAY', 1, 31, true),
    days: ruleDays(parts, frequency),
    hours: integers(parts, 'BYHOUR', 0, 23),
    minutes: integers(parts, 'BYMINUTE', 0, 59),
    seconds: integers(parts, 'BYSECOND', 0, 59),
    positions: integers(parts, 'BYSETPOS', 1, 366, true),
  };
  const times = [rule.hours, rule.minutes, rule.seconds].reduce(
    (product, list) => product * Math.max(list.length, 1),
    1,
  );
  if (times > TIMES_A_DAY) throw new RecurrenceProblem(`A rule may repeat ${TIMES_A_DAY} times a day at most.`);
  return rule;
}
