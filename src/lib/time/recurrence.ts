import { DAY_MS } from './milliseconds.ts';
/**
 * Recurrence as Plone stores it: RRULE, EXRULE, RDATE and EXDATE lines of iCalendar in one text, such as `RRULE:FREQ=WEEKLY;COUNT=3` and
 * `EXDATE:20260508T000000`. A bare `FREQ=…` counts as an RRULE; a DTSTART line is accepted without effect, because the event itself has its start.
 */
import { type Budget, ruleOccurrences } from './recurrence-occurrences.ts';
import { parseCompact, parseRule, RecurrenceProblem, type RecurrenceRule } from './recurrence-rule.ts';
import { type Clocks, clocksOf } from './time-zone.ts';

const TEXT_LIMIT = 50_000;
const RULE_LIMIT = 10;
const DATE_LIMIT = 2000;

/** Maximum number of checked days and made moments in one expansion: about 500 years of days, some 50 ms. */
const WORK_LIMIT = 200_000;

/** A day, with the time of day; without it if the text names only the day. */
type Moment = { day: number; time: number | undefined; utc: boolean };

type RuleLine = { name: 'RRULE' | 'EXRULE'; value: string; rule: RecurrenceRule };
type DateLine = { name: 'RDATE' | 'EXDATE'; moments: Moment[] };

function parseMoment(text: string): Moment {
  const moment = parseCompact(text);
  if (!moment) throw new RecurrenceProblem(`"${text.slice(0, 40)}" is no date such as 20260501 or 20260501T080000Z.`);
  // Plone's editor selects days, and writes them as midnight without a zone.
  const dayOnly = moment.time === 0 && !moment.utc;
  return { ...moment, time: dayOnly ? undefined : moment.time };
}

function parseLine(line: string): RuleLine | DateLine | undefined {
  const colon = line.indexOf(':');
  const [name = '', ...parameters] = colon < 0 ? ['RRULE'] : line.slice(0, colon).split(';');
  const value = line.slice(colon + 1);
  if (name === 'DTSTART') return undefined;
  if (name === 'RRULE' || name === 'EXRULE') return { name, value, rule: parseRule(value) };
  if (name !== 'RDATE' && name !== 'EXDATE') {
    throw new RecurrenceProblem(`"${line.slice(0, 40)}" is none of RRULE, EXRULE, RDATE and EXDATE.`);
  }
  const foreign = parameters.find((item) => !['VALUE=DATE', 'VALUE=DATE-TIME', 'TZID=UTC'].includes(item));
  if (foreign !== undefined)
    throw new RecurrenceProblem(`${name} takes dates in UTC, without "${foreign.slice(0, 40)}".`);
  return { name, moments: value.split(',').map(parseMoment) };
}

/** Parses all lines of a text. Throws RecurrenceProblem. */
function parseLines(text: string): (RuleLine | DateLine)[] {
  if (text.length > TEXT_LIMIT) throw new RecurrenceProblem(`A recurrence has ${TEXT_LIMIT} characters at most.`);
  const unfolded = text.replace(/\r\n?/g, '\n').replace(/\n[ \t]/g, '');
  const lines: (RuleLine | DateLine)[] = [];
  for (const line of unfolded.split('\n')) {
    const read = line.trim() === '' ? undefined : parseLine(line.trim().toUpperCase());
    if (read) lines.push(read);
  }
  if (lines.filter((line) => 'rule' in line).length > RULE_LIMIT) {
    throw new RecurrenceProblem(`A recurrence has ${RULE_LIMIT} rules at most.`);
  }
  if (lines.reduce((sum, line) => sum + ('moments' in line ? line.moments.length : 0), 0) > DATE_LIMIT) {
    throw new RecurrenceProblem(`A recurrence has ${DATE_LIMIT} single dates at most.`);
  }
  return lines;
}

/** The problem of a recurrence text, as a message for the client; undefined for a valid text, also for an empty one. */
export function validateRecurrence(text: string): string | undefined {
  try {
    parseLines(text);
    return undefined;
  } catch (error) {
    if (error instanceof RecurrenceProblem) return error.message;
    throw error;
  }
}

/** The lines of a stored text that may not have been validated, such as from an import; no lines for a malformed text. */
function storedLines(text: string): (RuleLine | DateLine)[] {
  return validateRecurrence(text) === undefined ? parseLines(text) : [];
}

/** The clock time of a moment in a recurrence text. A moment without a time gets the time of day of `wallStart`. */
function wallOf({ day, time, utc }: Moment, wallStart: number, clocks: Clocks): number {
  const atStart = ((wallStart % DAY_MS) + DAY_MS) % DAY_MS;
  const at = day * DAY_MS + (time ?? atStart);
  return utc ? clocks.wallOf(at) : at;
}

const compactWall = (wall: number): string => new Date(wall).toISOString().replace(/[-:]|\.\d{3}Z/g, '');
const compactInstant = (instant: number): string => `${compactWall(instant)}Z`;
const compactDay = (wall: number): string => compactWall(wall).slice(0, 8);

/** The form of an event in a calendar: in UTC, in a time zone, or as whole days. */
export type CalendarForm = { timeZone: string; wholeDay?: boolean };

/**
 * The lines of a recurrence for an iCalendar event that starts at `start`. Single dates have the form of the start, and its time of day if the text
 * names only the day, because calendars compare them exactly with the occurrences. The end of a rule also has this time of day, in UTC unless the
 * event has whole days (RFC 5545, 3.3.10). No lines for an invalid text.
 */
export function recurrenceLines(
  text: string,
  start: Date,
  { timeZone, wholeDay = false }: CalendarForm,
): { name: string; value: string }[] {
  const clocks = clocksOf(timeZone);
  const wallStart = clocks.wallOf(start.getTime());
  const untilOf = ({ at, utc }: { at: number; utc: boolean }): string => {
    if (wholeDay) return compactDay(utc ? clocks.wallOf(at) : at);
    return compactInstant(utc ? at : clocks.instantOf(at));
  };
  const parameter = wholeDay ? ';VALUE=DATE' : timeZone === 'UTC' ? '' : `;TZID=${timeZone}`;
  const written = (wall: number): string => {
    if (wholeDay) return compactDay(wall);
    return timeZone === 'UTC' ? compactInstant(wall) : compactWall(wall);
  };
  return storedLines(text).map((line) => {
    if (!('rule' in line))
      return {
        name: `${line.name}${parameter}`,
        value: line.moments.map((moment) => written(wallOf(moment, wallStart, clocks))).join(','),
      };
    const { name, value, rule } = line;
    return { name, value: rule.until ? value.replace(/UNTIL=[^;]*/, `UNTIL=${untilOf(rule.until)}`) : value };
  });
}

/** The time of an event: its beginning, and the time zone in which it recurs. */
export type RecurringStart = { start: Date; timeZone: string };

/**
 * The times of an event within `[from, to]`: at its start, by its rules and on its RDATEs, without its EXDATEs and EXRULEs; in order, the first
 * `limit` of them. Like in plone.event, the start counts even if the rule does not include it. The event recurs at the same local time of its time
 * zone, also when the offset from UTC changes. The work is bounded: occurrences more than about 500 years of rule days away are not found. An event
 * with an invalid text never recurs.
 */
export function expandRecurrence(
  text: string,
  { start, timeZone }: RecurringStart,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Date[] {
  const lines = storedLines(text);
  const clocks = clocksOf(timeZone);
  const budget: Budget = { left: WORK_LIMIT };
  const wallStart = clocks.wallOf(start.getTime());
  // Clocks are never changed by more than a day, so the range is searched with this margin, and the results are filtered as instants.
  const range = { from: from.getTime() - DAY_MS, to: to.getTime() + DAY_MS, budget };
  const occurrences = (rule: RecurrenceRule) => {
    const until = rule.until && (rule.until.utc ? clocks.wallOf(rule.until.at) : rule.until.at);
    return ruleOccurrences(rule, new Date(wallStart), { ...range, until });
  };
  const instantOf = (wall: number): number => (wall === wallStart ? start.getTime() : clocks.instantOf(wall));
  const inRange = (instant: number): boolean => instant >= from.getTime() && instant <= to.getTime();

  const excluded = new Set<number>();
  const excludedDays = new Set<number>();
  const added = [wallStart];
  for (const line of lines) {
    if (line.name === 'EXRULE') for (const wall of occurrences(line.rule)) excluded.add(wall);
    if (line.name !== 'EXDATE' && line.name !== 'RDATE') continue;
    for (const moment of line.moments) {
      if (line.name === 'RDATE') added.push(wallOf(moment, wallStart, clocks));
      else if (moment.time === undefined) excludedDays.add(moment.day);
      else excluded.add(wallOf(moment, wallStart, clocks));
    }
  }
  const kept = (wall: number): boolean => !excluded.has(wall) && !excludedDays.has(Math.floor(wall / DAY_MS));
  const found = new Set<number>();
  for (const wall of added) {
    const instant = instantOf(wall);
    if (kept(wall) && inRange(instant)) found.add(instant);
  }
  for (const line of lines) {
    if (line.name !== 'RRULE') continue;
    let count = 0;
    for (const wall of occurrences(line.rule)) {
      if (count >= limit) break;
      const instant = kept(wall) ? instantOf(wall) : Number.NaN;
      if (!inRange(instant)) continue;
      found.add(instant);
      count += 1;
    }
  }
  return [...found]
    .sort((a, b) => a - b)
    .slice(0, Math.max(limit, 0))
    .map((moment) => new Date(moment));
}
