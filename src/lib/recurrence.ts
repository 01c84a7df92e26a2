/**
 * Recurrence as Plone stores it: RRULE, EXRULE, RDATE and EXDATE lines of iCalendar in one text, such as
 * `RRULE:FREQ=WEEKLY;COUNT=3` and `EXDATE:20260508T000000`. A bare `FREQ=…` counts as an RRULE; a DTSTART line
 * is accepted and has no effect, as the event itself says when it starts.
 */
import { type Budget, ruleOccurrences } from './recurrence-occurrences.ts';
import { parseCompact, parseRule, RecurrenceProblem, type RecurrenceRule } from './recurrence-rule.ts';

const TEXT_LIMIT = 50_000;
const RULE_LIMIT = 10;
const DATE_LIMIT = 2000;
const DAY_MILLISECONDS = 86_400_000;

/** Days looked at plus moments made in one expansion; about 500 years of days, some 50 ms. */
const WORK_LIMIT = 200_000;

/** A day, with the time of day unless the text names only the day. */
type Moment = { day: number; time: number | undefined };

type RuleLine = { name: 'RRULE' | 'EXRULE'; value: string; rule: RecurrenceRule };
type DateLine = { name: 'RDATE' | 'EXDATE'; moments: Moment[] };

function parseMoment(text: string): Moment {
  const moment = parseCompact(text);
  if (!moment) throw new RecurrenceProblem(`"${text.slice(0, 40)}" is no date such as 20260501 or 20260501T080000Z.`);
  // Plone's editor picks days, and writes them as midnight without a zone.
  const dayOnly = moment.time === 0 && !moment.utc;
  return { day: moment.day, time: dayOnly ? undefined : moment.time };
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

/** All lines of a text, or a RecurrenceProblem. */
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

/** What is wrong with a recurrence text, in words for the client; undefined when it can be stored. Empty is fine. */
export function validateRecurrence(text: string): string | undefined {
  try {
    parseLines(text);
    return undefined;
  } catch (error) {
    if (error instanceof RecurrenceProblem) return error.message;
    throw error;
  }
}

/** The lines of a text that was stored before it was validated (by an import, say): none if it cannot be read. */
function storedLines(text: string): (RuleLine | DateLine)[] {
  return validateRecurrence(text) === undefined ? parseLines(text) : [];
}

const atStart = (start: Date): number => ((start.getTime() % DAY_MILLISECONDS) + DAY_MILLISECONDS) % DAY_MILLISECONDS;

/**
 * The lines of a recurrence for an iCalendar event that starts at `start`. Single dates are in compact UTC form
 * and, where the text names only the day, at the time of day of the start, as calendars compare them exactly
 * with the occurrences. None for a text that is not valid.
 */
export function recurrenceLines(text: string, start: Date): { name: string; value: string }[] {
  const compact = ({ day, time }: Moment): string =>
    new Date(day * DAY_MILLISECONDS + (time ?? atStart(start))).toISOString().replace(/[-:]|\.\d{3}/g, '');
  return storedLines(text).map((line) =>
    'rule' in line
      ? { name: line.name, value: line.value }
      : { name: line.name, value: line.moments.map(compact).join(',') },
  );
}

/**
 * When an event that starts at `start` takes place within `[from, to]`: at its start, by its rules and on its
 * RDATEs, without its EXDATEs and EXRULEs; in order, the first `limit` of them. Like plone.event, the start
 * counts even where the rule misses it. All in UTC. The work is bounded: occurrences more than about 500 years
 * of rule days away are not found. A text that is not valid recurs never.
 */
export function expandRecurrence(
  text: string,
  start: Date,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Date[] {
  const lines = storedLines(text);
  const budget: Budget = { left: WORK_LIMIT };
  const range = { from: from.getTime(), to: to.getTime(), budget };
  const inRange = (moment: number): boolean => moment >= range.from && moment <= range.to;

  const excluded = new Set<number>();
  const excludedDays = new Set<number>();
  const found = new Set<number>([start.getTime()].filter(inRange));
  for (const line of lines) {
    if (line.name === 'EXRULE') for (const moment of ruleOccurrences(line.rule, start, range)) excluded.add(moment);
    if (line.name !== 'EXDATE' && line.name !== 'RDATE') continue;
    for (const { day, time } of line.moments) {
      const moment = day * DAY_MILLISECONDS + (time ?? atStart(start));
      if (line.name === 'RDATE' && inRange(moment)) found.add(moment);
      if (line.name === 'EXDATE' && time === undefined) excludedDays.add(day);
      if (line.name === 'EXDATE' && time !== undefined) excluded.add(moment);
    }
  }
  const kept = (moment: number): boolean =>
    !excluded.has(moment) && !excludedDays.has(Math.floor(moment / DAY_MILLISECONDS));
  for (const line of lines) {
    if (line.name !== 'RRULE') continue;
    let count = 0;
    for (const moment of ruleOccurrences(line.rule, start, range)) {
      if (!kept(moment)) continue;
      found.add(moment);
      count += 1;
      if (count >= limit) break;
    }
  }
  return [...found]
    .filter(kept)
    .sort((a, b) => a - b)
    .slice(0, Math.max(limit, 0))
    .map((moment) => new Date(moment));
}
