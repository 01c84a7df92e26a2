import { DAY_MS } from '#lib/time/milliseconds';
import { type Clocks, clocksOf } from '#lib/time/time-zone';
import { compactWall, contentLine } from './ical-lines.ts';

/** The year in which the description of a time zone begins: earlier data of time zones are incomplete. */
const FIRST_YEAR = 1970;
/** Years from now in which a rule must hold to count as permanent. */
const YEARS_AHEAD = 3;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** A moment at which clocks change. `wall` is the local time just before. */
type Change = { instant: number; wall: number; from: number; to: number };

/** Changes of the same kind in years that follow each other, on the days of the year that all of `days` name. */
type Run = { changes: Change[]; days: string[] };

/** The moment in `[low, high]`, to the second, from which the offset differs from that at `low`. */
function changeBetween(clocks: Clocks, low: number, high: number): Change {
  const from = clocks.offsetAt(low);
  let [before, after] = [low, high];
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000;
    if (clocks.offsetAt(middle) === from) before = middle;
    else after = middle;
  }
  return { instant: after, wall: after + from, from, to: clocks.offsetAt(after) };
}

/** All changes of the years; two changes within ten days count as one. */
function changesOf(clocks: Clocks, lastYear: number): Change[] {
  const changes: Change[] = [];
  const end = Date.UTC(lastYear + 1, 0, 1);
  for (let at = Date.UTC(FIRST_YEAR, 0, 1); at < end; at += 10 * DAY_MS) {
    const next = Math.min(at + 10 * DAY_MS, end);
    if (clocks.offsetAt(at) !== clocks.offsetAt(next)) changes.push(changeBetween(clocks, at, next));
  }
  return changes;
}

/** The ways in which a rule can name the day of a change, such as the last Sunday of March (`3;BYDAY=-1SU`). */
function daysOf({ wall }: Change): string[] {
  const date = new Date(wall);
  const [month, day] = [date.getUTCMonth(), date.getUTCDate()];
  const length = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const weekday = WEEKDAYS[date.getUTCDay()];
  const places = [Math.ceil(day / 7), ...(day + 7 > length ? [-1] : [])];
  return places.map((place) => `${month + 1};BYDAY=${place}${weekday}`);
}

const yearOf = ({ wall }: Change): number => new Date(wall).getUTCFullYear();

/** Adds a change to the run that it continues, or begins a new run. */
function addChange(runs: Run[], change: Change): void {
  const days = daysOf(change);
  for (const run of runs) {
    const last = run.changes.at(-1);
    const common = run.days.filter((day) => days.includes(day));
    if (!last || common.length === 0 || yearOf(last) !== yearOf(change) - 1) continue;
    if (last.from !== change.from || last.to !== change.to || (last.wall - change.wall) % DAY_MS !== 0) continue;
    run.changes.push(change);
    run.days = common;
    return;
  }
  runs.push({ changes: [change], days });
}

/** An offset in iCalendar's form: +0200, with seconds if it has some. */
function offsetText(offset: number): string {
  const seconds = Math.abs(offset) / 1000;
  const parts = [seconds / 3600, (seconds % 3600) / 60, ...(seconds % 60 === 0 ? [] : [seconds % 60])];
  return `${offset < 0 ? '-' : '+'}${parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join('')}`;
}

/** A part of the description: an offset, its start, and the rule of its yearly return. */
function observance(change: Change, rule: string | undefined): string {
  const kind = change.to > change.from ? 'DAYLIGHT' : 'STANDARD';
  return [
    contentLine('BEGIN', kind),
    contentLine('DTSTART', compactWall(change.wall)),
    contentLine('TZOFFSETFROM', offsetText(change.from)),
    contentLine('TZOFFSETTO', offsetText(change.to)),
    ...(rule === undefined ? [] : [contentLine('RRULE', rule)]),
    contentLine('END', kind),
  ].join('');
}

function observanceOf({ changes, days: [day] }: Run, lastYear: number): string {
  const [first] = changes;
  const last = changes.at(-1);
  if (!first || !last || day === undefined) return '';
  const until = yearOf(last) === lastYear ? '' : `;UNTIL=${compactWall(last.instant)}Z`;
  return observance(first, changes.length === 1 ? undefined : `FREQ=YEARLY;BYMONTH=${day}${until}`);
}

/**
 * The VTIMEZONE of a time zone (RFC 5545, 3.6.5), as this system knows it: the changes of its clocks since 1970; yearly changes are rules, and the
 * present rules have no end.
 */
export function timeZoneLines(timeZone: string, now = new Date()): string {
  const clocks = clocksOf(timeZone);
  const lastYear = now.getUTCFullYear() + YEARS_AHEAD;
  const runs: Run[] = [];
  for (const change of changesOf(clocks, lastYear)) addChange(runs, change);
  const start = Date.UTC(FIRST_YEAR, 0, 1);
  const offset = clocks.offsetAt(start);
  const first: Change = { instant: start, wall: start, from: offset, to: offset };
  const parts = [observance(first, undefined), ...runs.map((run) => observanceOf(run, lastYear))];
  return [
    contentLine('BEGIN', 'VTIMEZONE'),
    contentLine('TZID', timeZone),
    ...parts,
    contentLine('END', 'VTIMEZONE'),
  ].join('');
}
