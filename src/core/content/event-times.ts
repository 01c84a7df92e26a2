import { formatInstant, parseInstant } from '../../lib/time/iso-date.ts';
import { HOUR_MS } from '../../lib/time/milliseconds.ts';
import { clocksOf } from '../../lib/time/time-zone.ts';
import { siteTimeZone } from '../configuration/panels/general.ts';
import { speaksPlone } from '../configuration/site/plone-names.ts';
import type { Site } from '../configuration/site/site.ts';
import { dayEnd, dayStart } from '../search/querystring/day-start.ts';
import type { ContentType, Field } from '../types/content-type.ts';

/** The behavior with the fields for the times of an event. */
const EVENT = 'plone.eventbasic';

const isOfEvent = (field: Pick<Field, 'behavior'> | undefined): boolean => field?.behavior === EVENT;

/** The beginning of the hour of `now` in the time zone of the site: not all zones are whole hours from UTC. */
function hourStart(site: Site, now: number): number {
  const wall = clocksOf(siteTimeZone(site)).wallOf(now);
  return now - (wall - Math.floor(wall / HOUR_MS) * HOUR_MS);
}

/**
 * The initial times in the form of a new event: the beginning of the present hour, and an hour later (plone.app.event, `default_start` and
 * `default_end`).
 */
export function eventTimes(site: Site, type: ContentType): { start?: Date; end?: Date } {
  const [hasStart, hasEnd] = [type.fieldByName.get('start'), type.fieldByName.get('end')].map(isOfEvent);
  // Most types have neither field, and to compute the hour takes time.
  if (!hasStart && !hasEnd) return {};
  const start = hourStart(site, Date.now());
  return {
    ...(hasStart && { start: new Date(start) }),
    ...(hasEnd && { end: new Date(start + HOUR_MS) }),
  };
}

/**
 * The times of a new event that a client did not send, on sites with the names of Plone: Nick requires a start. An event with a start of its own, in
 * `timeZone` unless it has an offset, ends an hour after this start.
 */
export function missingEventTimes(
  site: Site,
  type: ContentType,
  { input: { start, end }, timeZone }: { input: Record<string, unknown>; timeZone: string },
): { start?: string; end?: string } {
  if (!speaksPlone(site)) return {};
  const { start: now, end: later } = eventTimes(site, type);
  const begins = typeof start === 'string' ? parseInstant(start, timeZone) : undefined;
  const ends = later && begins ? new Date(Math.floor(begins.getTime() / 1000) * 1000 + HOUR_MS) : later;
  return {
    ...(start === undefined && now && { start: formatInstant(now) }),
    ...(end === undefined && ends && { end: formatInstant(ends) }),
  };
}

/** The fields that decide which days an event fills. */
const DAYS = ['start', 'end', 'whole_day', 'open_end'];

/**
 * The times of an event that fills whole days, or has no end, as Plone stores them (plone.app.event, `data_postprocessing`): from the first second of
 * its first day to the last second of its last day, in the time zone of the site; without an end to the last second of the day on which it starts.
 * `changed` are the values that a request sets, `current` the values of the event. The specification stores times as sent, so this is only for sites
 * that are known as Plone's.
 */
export function wholeDays(
  site: Site,
  type: ContentType,
  { changed, current }: { changed: Record<string, unknown>; current: Record<string, unknown> },
): { start?: string; end?: string } {
  if (!speaksPlone(site) || !isOfEvent(type.fieldByName.get('start'))) return {};
  if (!DAYS.some((name) => Object.hasOwn(changed, name))) return {};
  const { start, end, whole_day: wholeDay, open_end: openEnd } = { ...current, ...changed };
  const begins = typeof start === 'string' ? parseInstant(start) : undefined;
  if (!begins) return {};
  const zone = siteTimeZone(site);
  const ends = openEnd === true ? begins : typeof end === 'string' ? parseInstant(end) : undefined;
  return {
    ...(wholeDay === true && { start: formatInstant(dayStart(begins, 0, zone)) }),
    ...((wholeDay === true || openEnd === true) && ends && { end: formatInstant(dayEnd(ends, 0, zone)) }),
  };
}
