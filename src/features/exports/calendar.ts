import { DAY_MS } from '#lib/time/milliseconds';
/**
 * iCalendar (RFC 5545) in the shape of the specification's section Content. Head, events and foot are
 * separate, so that a folder with very many events is sent piece by piece and never whole in memory.
 *
 * Own code, as ical-generator 10.2 neither writes this shape (it adds SEQUENCE, writes `URL;VALUE=URI:` and
 * orders the properties otherwise) nor writes one event at a time.
 */

import { panelSettings, panels, type RenderContext, type ResolvedNode, type Site, siteSettings, urlOf } from '#core';
import { parseInstant } from '#lib/time/iso-date';
import { recurrenceLines } from '#lib/time/recurrence';
import { clocksOf } from '#lib/time/time-zone';
import { FEED_BATCH, feedBatches, feedScope } from './feed-batches.ts';
import { compact, compactWall, contentLine, escapeText, oneLine, quoted } from './ical-lines.ts';
import { type EventRow, feedEvents } from './statements/feed-rows.ts';
import { timeZoneLines } from './time-zone-lines.ts';

export type CalendarEvent = {
  title: string;
  start: Date;
  end: Date | null;
  /** Globally unique id, `<UID>@<site>` with the address of the site. */
  uid: string;
  url: string;
  created: Date;
  modified: Date;
  /** True for an event without an end: DTEND is left out, as in Plone. */
  openEnd?: boolean;
  /** True for an event of whole days; the last of them is the day of its end. */
  wholeDay?: boolean;
  /** The time zone of its recurrence and of its days. */
  timeZone: string;
  /** RRULE, EXDATE, RDATE and EXRULE lines, as stored. */
  recurrence?: string | null;
  location?: string | null;
  description?: string | null;
  /** Name, mail address and phone number, each if known. */
  contact?: readonly (string | null | undefined)[];
  /** Names or mail addresses. */
  attendees?: readonly string[];
};

/** `zone` is the VTIMEZONE of the time zone that events of the calendar may need; empty where none is needed. */
type CalendarHead = { siteTitle: string; language?: string | undefined; zone?: string };

function attendeeLine(attendee: string): string {
  // An attendee is an address by the standard; a bare name gets the address that calendars use for "no mail".
  const address = /^[^\s@:]+@[^\s@:]+$/.test(attendee) ? `mailto:${attendee}` : 'invalid:nomail';
  return contentLine(`ATTENDEE;CN=${quoted(attendee)};ROLE=REQ-PARTICIPANT`, oneLine(address));
}

/** The start of a calendar; `calendarEvent`s and `calendarFoot` follow. */
export function calendarHead({ siteTitle, language, zone = '' }: CalendarHead): string {
  const title = escapeText(siteTitle.replaceAll('\n', ' '));
  const tag = (language ?? 'en').toUpperCase();
  return [
    contentLine('BEGIN', 'VCALENDAR'),
    contentLine('VERSION', '2.0'),
    contentLine('PRODID', `-//${title}//NONSGML ${title}//${oneLine(tag)}`),
    contentLine('X-WR-TIMEZONE', 'UTC'),
    zone,
  ].join('');
}

const recurs = ({ recurrence }: Pick<CalendarEvent, 'recurrence'>): boolean => (recurrence ?? '') !== '';

/** True if the times of an event are local times of its time zone: a recurring event needs them, because its offset to UTC changes. */
const needsZone = (event: CalendarEvent): boolean => recurs(event) && !event.wholeDay && event.timeZone !== 'UTC';

/**
 * DTSTART and DTEND: for whole days dates, of which DTEND is the day after the event (RFC 5545, 3.6.1); local times of the time zone for recurring
 * events; otherwise UTC (specification, Content).
 */
function timeLines(event: CalendarEvent): { start: string; end: string | undefined } {
  const { start, openEnd, wholeDay, timeZone } = event;
  const end = openEnd ? null : event.end;
  if (!wholeDay && !needsZone(event))
    return { start: contentLine('DTSTART', compact(start)), end: end ? contentLine('DTEND', compact(end)) : undefined };
  const clocks = clocksOf(timeZone);
  const wall = (date: Date): number => clocks.wallOf(date.getTime());
  if (!wholeDay) {
    const line = (name: string, date: Date) => contentLine(`${name};TZID=${timeZone}`, compactWall(wall(date)));
    return { start: line('DTSTART', start), end: end ? line('DTEND', end) : undefined };
  }
  const day = (name: string, at: number) => contentLine(`${name};VALUE=DATE`, compactWall(at).slice(0, 8));
  return { start: day('DTSTART', wall(start)), end: end ? day('DTEND', wall(end) + DAY_MS) : undefined };
}

/**
 * One VEVENT. DTSTAMP is the time of the last change, which is its meaning in a calendar
 * without METHOD (RFC 5545, 3.8.7.2) and keeps the response the same until the content changes.
 */
export function calendarEvent(event: CalendarEvent): string {
  const { start, end } = timeLines(event);
  const lines = [
    contentLine('BEGIN', 'VEVENT'),
    contentLine('SUMMARY', escapeText(event.title)),
    start,
    contentLine('DTSTAMP', compact(event.modified)),
    contentLine('UID', escapeText(event.uid)),
    contentLine('CREATED', compact(event.created)),
    contentLine('LAST-MODIFIED', compact(event.modified)),
    contentLine('URL', oneLine(event.url)),
  ];
  if (end !== undefined) lines.push(end);
  for (const { name, value } of recurrenceLines(event.recurrence ?? '', event.start, event)) {
    lines.push(contentLine(name, value));
  }
  if (event.location) lines.push(contentLine('LOCATION', escapeText(event.location)));
  if (event.description) lines.push(contentLine('DESCRIPTION', escapeText(event.description)));
  const contact = (event.contact ?? []).filter((part) => part).join(', ');
  if (contact !== '') lines.push(contentLine('CONTACT', escapeText(contact)));
  for (const attendee of event.attendees ?? []) lines.push(attendeeLine(attendee));
  // Older calendars of Microsoft recognize whole days only by this property.
  if (event.wholeDay) lines.push(contentLine('X-MICROSOFT-CDO-ALLDAYEVENT', 'TRUE'));
  lines.push(contentLine('END', 'VEVENT'));
  return lines.join('');
}

/** The end of a calendar. */
export function calendarFoot(): string {
  return contentLine('END', 'VCALENDAR');
}

/** A whole calendar, for a number of events that fits in memory. */
export function renderCalendar({
  events,
  zone = '',
  ...head
}: CalendarHead & { events: readonly CalendarEvent[] }): string {
  return (
    calendarHead({ ...head, zone: events.some(needsZone) ? zone : '' }) +
    events.map(calendarEvent).join('') +
    calendarFoot()
  );
}

/** Cached because finding the clock changes is slow, and a site is immutable. */
const knownZones = new WeakMap<Site, string>();

/** The VTIMEZONE of a site; empty for a site in UTC. */
function zoneLinesOf(site: Site): string {
  const timeZone = siteSettings.timeZone(site);
  const lines = knownZones.get(site) ?? (timeZone === 'UTC' ? '' : timeZoneLines(timeZone));
  knownZones.set(site, lines);
  return lines;
}

/** The behavior that makes a type an event: it brings beginning and end. */
const EVENT = 'plone.eventbasic';

/** Values of an event that everybody who may view it may read; fields with a permission of their own stay out of calendars. */
function openFields({ site }: RenderContext, { type, fields }: EventRow): Map<string, unknown> {
  const known = site.types.get(type)?.fields ?? [];
  const open = known.filter((field) => field.read_permission === undefined && !field.writeOnly);
  return new Map(open.map(({ name }) => [name, fields[name]]));
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const instant = (value: unknown): Date | null => (typeof value === 'string' ? (parseInstant(value) ?? null) : null);

/** The entry of one object; undefined for an object without a start, which a VEVENT must have. */
function eventOf(context: RenderContext, row: EventRow): CalendarEvent | undefined {
  const values = openFields(context, row);
  const start = instant(values.get('start'));
  if (!start) return undefined;
  const attendees = values.get('attendees');
  return {
    title: row.title,
    start,
    end: instant(values.get('end')),
    timeZone: siteSettings.timeZone(context.site),
    uid: `${row.uid}@${new URL(context.base).host}`,
    url: urlOf(context.base, row.path),
    created: row.created,
    modified: row.modified,
    openEnd: values.get('open_end') === true,
    wholeDay: values.get('whole_day') === true,
    recurrence: text(values.get('recurrence')),
    location: text(values.get('location')),
    description: text(row.description),
    contact: ['contact_name', 'contact_email', 'contact_phone'].map((name) => text(values.get(name))),
    attendees: Array.isArray(attendees) ? attendees.filter((name): name is string => typeof name === 'string') : [],
  };
}

const render = (context: RenderContext, rows: readonly EventRow[]): string =>
  rows.map((row) => eventOf(context, row)).reduce((all, event) => (event ? all + calendarEvent(event) : all), '');

/**
 * The iCalendar document of an object, in pieces: an event alone, or for other objects every event below that the caller may view, in the order of
 * paths (specification, Content).
 */
export async function* calendarChunks(context: RenderContext, resolved: ResolvedNode): AsyncGenerator<string> {
  const { site, db } = context;
  const title = {
    siteTitle: panelSettings(site, panels.site).site_title,
    language: panelSettings(site, panels.language).default_language,
    zone: zoneLinesOf(site),
  };
  if (site.types.get(resolved.object.type)?.behaviorNames.has(EVENT)) {
    const event = eventOf(context, resolved.object);
    yield renderCalendar({ ...title, events: event ? [event] : [] });
    return;
  }
  // The events are not known yet, so the head has the time zone in any case.
  const head = calendarHead(title);
  const types = [...site.types.values()].filter((type) => type.behaviorNames.has(EVENT)).map(({ id }) => id);
  const scope = feedScope(context, resolved);
  // The head is sent with the first batch, so that a database that fails at once still leads to an error response.
  let pending = head;
  for await (const rows of feedBatches((after) => feedEvents(db, scope, { after, limit: FEED_BATCH, types }))) {
    yield pending + render(context, rows);
    pending = '';
  }
  yield pending + calendarFoot();
}
