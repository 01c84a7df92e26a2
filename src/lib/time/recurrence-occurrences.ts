import { DAY_MS } from './milliseconds.ts';
/**
 * The occurrences of one recurrence rule, day by day, with bounded work.
 *
 * This is own code, because rrule 2.8 cannot be bounded: it walks to the year 9999 through days that never match (5 seconds for
 * `FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31`) and calls back only for a match. The tests compare both.
 */
import type { RecurrenceRule } from './recurrence-rule.ts';

/** The remaining number of checked days and made moments, shared by the rules of one expansion. */
export type Budget = { left: number };

/** Days from 1970 to the first of a month; `month` counts from 0 and may lie beyond the year. */
function firstOfMonth(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1) / DAY_MS;
}

/** Monday is 0; the first day of 1970 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

const weekStartOf = (day: number, weekStart: number): number => day - ((weekdayOf(day) - weekStart + 7) % 7);

type Period = { first: number; end: number };

/** The nth period (day, week, month or year) of a rule, counted from the period of `startDay`: its first day and its end. */
function periodAt(rule: RecurrenceRule, startDay: number, n: number): Period {
  const step = n * rule.interval;
  if (rule.frequency === 'DAILY') return { first: startDay + step, end: startDay + step + 1 };
  if (rule.frequency === 'WEEKLY') {
    const first = weekStartOf(startDay, rule.weekStart) + 7 * step;
    return { first, end: first + 7 };
  }
  const start = new Date(startDay * DAY_MS);
  const year = start.getUTCFullYear();
  if (rule.frequency === 'YEARLY')
    return { first: firstOfMonth(year + step, 0), end: firstOfMonth(year + step + 1, 0) };
  const month = start.getUTCMonth() + step;
  return { first: firstOfMonth(year, month), end: firstOfMonth(year, month + 1) };
}

/** A number of periods that can be skipped because they end before `from`. */
function periodsBefore(rule: RecurrenceRule, startDay: number, from: number): number {
  const days = Math.floor(from / DAY_MS) - startDay;
  // The maximum length of a period in days, so that the estimate never skips too many.
  const length = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 }[rule.frequency];
  return Math.max(0, Math.floor(days / (length * rule.interval)) - 1);
}

/** Fills the open parts of the rule from the start of the event (RFC 5545, 3.3.10, and python-dateutil). */
function withDefaults(rule: RecurrenceRule, startDay: number): RecurrenceRule {
  const { weekNumbers, yearDays, monthDays, days } = rule;
  if (weekNumbers.length + yearDays.length + monthDays.length + days.length > 0) return rule;
  const start = new Date(startDay * DAY_MS);
  if (rule.frequency === 'WEEKLY') return { ...rule, days: [{ weekday: weekdayOf(startDay), nth: 0 }] };
  if (rule.frequency === 'DAILY') return rule;
  const months = rule.frequency === 'YEARLY' && rule.months.length === 0 ? [start.getUTCMonth() + 1] : rule.months;
  return { ...rule, months, monthDays: [start.getUTCDate()] };
}

/** True if the list is empty or has the place of a day in its month or year, counted from the front or from the end. */
const holds = (list: number[], place: number, total: number): boolean =>
  list.length === 0 || list.includes(place) || list.includes(place - total - 1);

function inWeekNumbers(rule: RecurrenceRule, day: number): boolean {
  if (rule.weekNumbers.length === 0) return true;
  // A week belongs to the year with most of its days, the year of its fourth day.
  const fourth = weekStartOf(day, rule.weekStart) + 3;
  const year = new Date(fourth * DAY_MS).getUTCFullYear();
  const week = Math.floor((fourth - firstOfMonth(year, 0)) / 7) + 1;
  const weeks = week + Math.floor((firstOfMonth(year + 1, 0) - 1 - fourth) / 7);
  return holds(rule.weekNumbers, week, weeks);
}

function matches(rule: RecurrenceRule, day: number): boolean {
  const date = new Date(day * DAY_MS);
  const [year, month, monthDay] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (rule.months.length > 0 && !rule.months.includes(month + 1)) return false;
  const monthLength = (): number => firstOfMonth(year, month + 1) - firstOfMonth(year, month);
  const yearDay = (): number => day - firstOfMonth(year, 0) + 1;
  const yearLength = (): number => firstOfMonth(year + 1, 0) - firstOfMonth(year, 0);
  if (rule.monthDays.length > 0 && !holds(rule.monthDays, monthDay, monthLength())) return false;
  if (rule.yearDays.length > 0 && !holds(rule.yearDays, yearDay(), yearLength())) return false;
  if (!inWeekNumbers(rule, day)) return false;
  if (rule.days.length === 0) return true;
  const inMonth = rule.frequency === 'MONTHLY' || rule.months.length > 0;
  return rule.days.some(({ weekday, nth }) => {
    if (weekday !== weekdayOf(day)) return false;
    if (nth === 0) return true;
    const [place, total] = inMonth ? [monthDay, monthLength()] : [yearDay(), yearLength()];
    return nth === (nth > 0 ? Math.ceil(place / 7) : -Math.ceil((total - place + 1) / 7));
  });
}

/** Milliseconds from midnight at which the event takes place on each of its days, in order. */
function timesOfDay(rule: RecurrenceRule, start: Date): number[] {
  const or = (list: number[], value: number): number[] => (list.length > 0 ? list : [value]);
  const seconds = or(rule.seconds, start.getUTCSeconds());
  const minutes = or(rule.minutes, start.getUTCMinutes());
  return or(rule.hours, start.getUTCHours()).flatMap((hour) =>
    minutes.flatMap((minute) =>
      seconds.map((second) => ((hour * 60 + minute) * 60 + second) * 1000 + start.getUTCMilliseconds()),
    ),
  );
}

function momentsOf(rule: RecurrenceRule, { first, end }: Period, times: number[], budget: Budget): number[] {
  const moments: number[] = [];
  for (let day = first; day < end && budget.left > 0; day += 1) {
    budget.left -= 1;
    if (!matches(rule, day)) continue;
    budget.left -= times.length;
    for (const time of times) moments.push(day * DAY_MS + time);
  }
  if (rule.positions.length === 0) return moments;
  const total = moments.length;
  return moments.filter((_, index) => holds(rule.positions, index + 1, total));
}

/**
 * The occurrences of a rule from `start` on that lie in `[from, to]` (milliseconds from 1970) and not after `until`, in order. All of them are local
 * times at the place of the event. Ends early when `budget` is used up.
 */
export function* ruleOccurrences(
  rule: RecurrenceRule,
  start: Date,
  { from, to, until, budget }: { from: number; to: number; until?: number | undefined; budget: Budget },
): Generator<number> {
  const startDay = Math.floor(start.getTime() / DAY_MS);
  const full = withDefaults(rule, startDay);
  const times = timesOfDay(rule, start);
  const last = Math.min(to, until ?? to);
  let remaining = rule.count ?? Number.POSITIVE_INFINITY;
  // With COUNT all occurrences must be counted; without it, occurrences before `from` are skipped.
  let n = rule.count === undefined ? periodsBefore(rule, startDay, from) : 0;
  while (budget.left > 0) {
    const period = periodAt(full, startDay, n);
    if (!(period.first * DAY_MS <= last)) return;
    for (const moment of momentsOf(full, period, times, budget)) {
      if (moment > last || remaining === 0) return;
      if (moment < start.getTime()) continue;
      remaining -= 1;
      if (moment >= from) yield moment;
    }
    n += 1;
  }
}
