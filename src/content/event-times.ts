import { formatInstant, parseInstant } from '../lib/iso-date.ts';
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
 * asks for a start instead, so there are no defaults on sites that are not known as Plone's.
 */
export function eventTimes(site: Pick<Site, 'types'>, type: ContentType): { start?: string; end?: string } {
  if (!speaksPlone(site)) return {};
  const now = Date.now();
  return {
    ...(isOfEvent(type.fieldByName.get('start')) && { start: wholeSecond(now) }),
    ...(isOfEvent(type.fieldByName.get('end')) && { end: wholeSecond(now + HOUR_MS) }),
  };
}

/** The times of a new event that a client did not send: an event with a start of its own ends an hour after that. */
export function missingEventTimes(
  site: Pick<Site, 'types'>,
  type: ContentType,
  { start, end }: Record<string, unknown>,
): { start?: string; end?: string } {
  const { start: now, end: later } = eventTimes(site, type);
  const begins = typeof start === 'string' ? parseInstant(start) : undefined;
  const ends = begins ? wholeSecond(begins.getTime() + HOUR_MS) : later;
  return {
    ...(start === undefined && now !== undefined && { start: now }),
    ...(end === undefined && later !== undefined && ends !== undefined && { end: ends }),
  };
}
