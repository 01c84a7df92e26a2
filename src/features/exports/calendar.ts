/**
 * iCalendar (RFC 5545) in the shape of the specification's section Content. Head, events and foot are
 * separate, so that a folder with very many events is sent piece by piece and never whole in memory.
 *
 * Own code, as ical-generator 10.2 neither writes this shape (it adds SEQUENCE, writes `URL;VALUE=URI:` and
 * orders the properties otherwise) nor writes one event at a time.
 */

import { parseInstant } from '../../lib/iso-date.ts';
import { recurrenceLines } from '../../lib/recurrence.ts';
import { type RenderContext, urlOf } from '../../serializer/render-context.ts';
import { panelSettings } from '../../site/panel.ts';
import { languagePanel } from '../../site/panels/languages.ts';
import { sitePanel } from '../../site/panels/site.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import { FEED_BATCH, feedBatches, feedScope } from './feed-batches.ts';
import { type EventRow, feedEvents } from './statements/feed-rows.ts';

export type CalendarEvent = {
  title: string;
  start: Date;
  end: Date | null;
  /** Globally unique, so with the address of the site: `<UID>@<site>`. */
  uid: string;
  url: string;
  created: Date;
  modified: Date;
  /** The event has no end that matters: DTEND is left out, as Plone does. */
  openEnd?: boolean;
  wholeDay?: boolean;
  /** RRULE, EXDATE, RDATE and EXRULE lines, as stored. */
  recurrence?: string | null;
  location?: string | null;
  description?: string | null;
  /** Name, mail address and phone number, each if known. */
  contact?: readonly (string | null | undefined)[];
  /** Names or mail addresses. */
  attendees?: readonly string[];
};

type CalendarHead = { siteTitle: string; language?: string | undefined };

/** Octets that a line may have before its CRLF (RFC 5545, 3.1). */
const LINE_LIMIT = 75;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|[\ud800-\udfff]/gu;

/** A TEXT value (RFC 5545, 3.3.11). */
function escapeText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(UNWRITABLE, '')
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n');
}

/** A value that is not TEXT (an address): what would end the line is dropped. */
const oneLine = (text: string): string => text.replace(/[\r\n]/g, '').replace(UNWRITABLE, '');

/** A quoted parameter value (RFC 5545, 3.2), which cannot hold a quotation mark. */
const quoted = (text: string): string => `"${oneLine(text).replaceAll('"', "'")}"`;

/** Compact UTC form: 20260501T080000Z. */
const compact = (date: Date): string => date.toISOString().replace(/[-:]|\.\d{3}/g, '');

/** A content line with its CRLF, folded so that no line is too long and no character is cut. */
function contentLine(name: string, value: string): string {
  const line = `${name}:${value}`;
  if (Buffer.byteLength(line) <= LINE_LIMIT) return `${line}\r\n`;
  const pieces: string[] = [];
  let piece = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_LIMIT) {
      pieces.push(piece);
      piece = ' ';
      octets = 1;
    }
    piece += character;
    octets += size;
  }
  return `${[...pieces, piece].join('\r\n')}\r\n`;
}

function attendeeLine(attendee: string): string {
  // An attendee is an address by the standard; a bare name gets the one that calendars agree on for "no mail".
  const address = /^[^\s@:]+@[^\s@:]+$/.test(attendee) ? `mailto:${attendee}` : 'invalid:nomail';
  return contentLine(`ATTENDEE;CN=${quoted(attendee)};ROLE=REQ-PARTICIPANT`, oneLine(address));
}

/** The start of a calendar; `calendarEvent`s and `calendarFoot` follow. */
export function calendarHead({ siteTitle, language }: CalendarHead): string {
  const title = escapeText(siteTitle.replaceAll('\n', ' '));
  const tag = (language ?? 'en').toUpperCase();
  return [
    contentLine('BEGIN', 'VCALENDAR'),
    contentLine('VERSION', '2.0'),
    contentLine('PRODID', `-//${title}//NONSGML ${title}//${oneLine(tag)}`),
    contentLine('X-WR-TIMEZONE', 'UTC'),
  ].join('');
}

/**
 * One VEVENT, all times in UTC. DTSTAMP is the time of the last change, which is its meaning in a calendar
 * without METHOD (RFC 5545, 3.8.7.2) and keeps the response the same until the content changes.
 */
export function calendarEvent(event: CalendarEvent): string {
  const lines = [
    contentLine('BEGIN', 'VEVENT'),
    contentLine('SUMMARY', escapeText(event.title)),
    contentLine('DTSTART', compact(event.start)),
    contentLine('DTSTAMP', compact(event.modified)),
    contentLine('UID', escapeText(event.uid)),
    contentLine('CREATED', compact(event.created)),
    contentLine('LAST-MODIFIED', compact(event.modified)),
    contentLine('URL', oneLine(event.url)),
  ];
  if (event.end !== null && !event.openEnd) lines.push(contentLine('DTEND', compact(event.end)));
  for (const { name, value } of recurrenceLines(event.recurrence ?? '', event.start)) {
    lines.push(contentLine(name, value));
  }
  if (event.location) lines.push(contentLine('LOCATION', escapeText(event.location)));
  if (event.description) lines.push(contentLine('DESCRIPTION', escapeText(event.description)));
  const contact = (event.contact ?? []).filter((part) => part).join(', ');
  if (contact !== '') lines.push(contentLine('CONTACT', escapeText(contact)));
  for (const attendee of event.attendees ?? []) lines.push(attendeeLine(attendee));
  // The times stay date-times by the specification; with this, calendars show an event of whole days.
  if (event.wholeDay) lines.push(contentLine('X-MICROSOFT-CDO-ALLDAYEVENT', 'TRUE'));
  lines.push(contentLine('END', 'VEVENT'));
  return lines.join('');
}

/** The end of a calendar. */
export function calendarFoot(): string {
  return contentLine('END', 'VCALENDAR');
}

/** A whole calendar, for a number of events that fits in memory. */
export function renderCalendar({ events, ...head }: CalendarHead & { events: readonly CalendarEvent[] }): string {
  return calendarHead(head) + events.map(calendarEvent).join('') + calendarFoot();
}

/** The behavior that makes a type an event: it brings beginning and end. */
const EVENT = 'plone.eventbasic';

/** Values of an event that everybody who may view it may read; those with a permission of their own stay out of calendars. */
function openFields({ site }: RenderContext, { type, fields }: EventRow): Map<string, unknown> {
  const known = site.types.get(type)?.fields ?? [];
  const open = known.filter((field) => field.read_permission === undefined && !field.writeOnly);
  return new Map(open.map(({ name }) => [name, fields[name]]));
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const instant = (value: unknown): Date | null => (typeof value === 'string' ? (parseInstant(value) ?? null) : null);

/** The entry of one object; undefined when it has no beginning, without which there is no VEVENT. */
function eventOf(context: RenderContext, row: EventRow): CalendarEvent | undefined {
  const values = openFields(context, row);
  const start = instant(values.get('start'));
  if (!start) return undefined;
  const attendees = values.get('attendees');
  return {
    title: row.title,
    start,
    end: instant(values.get('end')),
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
 * The iCalendar document of an object, in pieces: of an event that event alone, of all else every event below it that
 * the caller may view, in the order of paths (specification, Content).
 */
export async function* calendarChunks(context: RenderContext, resolved: ResolvedNode): AsyncGenerator<string> {
  const { site, db } = context;
  const head = calendarHead({
    siteTitle: panelSettings(site, sitePanel).site_title,
    language: panelSettings(site, languagePanel).default_language,
  });
  if (site.types.get(resolved.object.type)?.behaviorNames.has(EVENT)) {
    yield head + render(context, [resolved.object]) + calendarFoot();
    return;
  }
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
