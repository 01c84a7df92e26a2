import { dayEnd, dayStart } from '../catalog/querystring/day-start.ts';
import { formatInstant, parseInstant } from '../lib/iso-date.ts';
import { siteTimeZone } from '../site/panels/general.ts';
import { speaksPlone } from '../site/plone-names.ts';
import type { Site } from '../site/site.ts';
import type { ContentType, Field } from '../types/content-type.ts';

/** The behavior whose fields say when an event takes place. */
const EVENT = 'plone.eventbasic';
const HOUR_MS = 60 * 60 * 1000;

const isOfEvent = (field: Pick<Field, 'behavior'> | undefined): boolean => field?.behavior === EVENT;

/** A moment without its milliseconds, which no form shows. */
const wholeSecond = (ms: number): string => formatInstant(new Date(Math.floor(ms / 1000) * 1000));

/**
 * What the form of a new event begins with: now, and an hour later (plone.app.event, `default_start` and `default_end`). Nick
 * requires a start instead, so that only sites with the names of Plone have defaults.
 */
export function eventTimes(site: Pick<Site, 'types'>, type: ContentType): { start?: string; end?: string } {
  if (!speaksPlone(site)) return {};
  const now = Date.now();
  return {
    ...(isOfEvent(type.fieldByName.get('start')) && { start: wholeSecond(now) }),
    ...(isOfEvent(type.fieldByName.get('end')) && { end: wholeSecond(now + HOUR_MS) }),
  };
}

/**
 * The times of a new event that a client did not send: an event with a start of its own, which is in `timeZone` unless it says
 * more, ends an hour after that.
 */
export function missingEventTimes(
  site: Pick<Site, 'types'>,
  type: ContentType,
  { input: { start, end }, timeZone }: { input: Record<string, unknown>; timeZone: string },
): { start?: string; end?: string } {
  const { start: now, end: later } = eventTimes(site, type);
  const begins = typeof start === 'string' ? parseInstant(start, timeZone) : undefined;
  const ends = begins ? wholeSecond(begins.getTime() + HOUR_MS) : later;
  return {
    ...(start === undefined && now !== undefined && { start: now }),
    ...(end === undefined && later !== undefined && ends !== undefined && { end: ends }),
  };
}

/** The fields that say which days an event fills. */
const DAYS = ['start', 'end', 'whole_day', 'open_end'];

/**
 * The times of an event that fills whole days, or has no end, as Plone stores them (plone.app.event,
 * `data_postprocessing`): from the first second of its first day to the last one of its last day, by the clocks of the
 * site; without an end to the last second of the day on which it starts. `changed` are the values that a request sets,
 * `current` those that the event has. The specification keeps times as they are sent, so this is for sites that are known
 * as Plone's.
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
